import Game2048
import NTupleNetwork

/// The games of one evaluation of a run: greedy play without learning.
public struct EvaluationGames: Sendable {
  /// The network to evaluate. It does not change while the games are played.
  public let network: NTupleNetwork
  /// The number of games.
  public let count: Int
  /// The seed of the spawns, the same for all evaluations of all runs.
  public let seed: UInt64
  /// The number of threads that may play in parallel.
  public let threads: Int
  /// The rules of the game.
  public let rules: Rules
  /// Whether the run has been asked to stop. May be called from any thread.
  public let shouldStop: @Sendable () -> Bool

  /// Plays the games and returns their outcome, or nil if they were stopped before the last one.
  ///
  /// `Training` contains no player; the caller of ``TrainingRun`` passes this function.
  public typealias Evaluate = (EvaluationGames) -> TrainingReport.Evaluation?
}
