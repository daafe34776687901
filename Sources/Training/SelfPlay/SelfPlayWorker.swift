import Game2048
import NTupleNetwork
import RandomSources
import TDLearning

/// What one episode came to.
public struct EpisodeResult: Codable, Equatable, Sendable {
  /// Points.
  public var score: Int
  /// Moves made.
  public var moves: Int
  /// The exponent of the largest tile at the end.
  public var largestExponent: Int
}

/// Plays the game against itself on a shared network, and learns from every move.
public struct SelfPlayWorker<Source: RandomSource> {
  private let network: NTupleNetwork
  private let rules: Rules
  private var learner: EpisodeLearner
  /// Decides the spawns.
  public var source: Source

  /// A worker that plays on `network` and has `learner` update it.
  public init(
    network: NTupleNetwork, rules: Rules, learner: EpisodeLearner, source: Source
  ) {
    self.network = network
    self.rules = rules
    self.learner = learner
    self.source = source
  }

  /// Plays one episode from the start position greedily, learning as it goes.
  public mutating func playEpisode(stepSize: StepSize) -> EpisodeResult {
    // In registers while the episode lasts: what is written every move must not share a cache line
    // with what another worker writes.
    var source = source
    defer { self.source = source }
    learner.stepSize = stepSize
    var board = rules.startBoard(using: &source)
    var score = 0
    var moves = 0
    while let move = network.greedyMove(from: board, rules: rules) {
      score += Int(move.reward)
      moves += 1
      learner.observe(move)
      board = move.afterstate
      rules.spawn(on: &board, using: &source)
    }
    learner.finishEpisode()
    return EpisodeResult(
      score: score, moves: moves, largestExponent: board.largestTileExponent)
  }
}
