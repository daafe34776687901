import Basics
import Checkpoints
import Foundation
import ModelFiles

extension TrainingRun {
  /// Writes the weights and the state to temporary files, which a commit puts in place.
  ///
  /// - Parameters:
  ///   - best: the best evaluation so far.
  ///   - bestMeanScore: the mean score of these weights if they are the best so far.
  ///   - formerBest: the record of the best of earlier saves.
  ///   - sinceEvaluation: seconds since the last evaluation.
  func prepareSave(
    best: RunState.Best? = nil, bestMeanScore: Double? = nil, formerBest: BestCheckpoint? = nil,
    sinceEvaluation: Double = 0
  ) throws -> CheckpointDirectory.Prepared {
    let state = state(best: best, sinceEvaluation: sinceEvaluation)
    return try directory.checkpoints.prepareSave(
      player, metadata: metadata(of: state),
      state: SavedState(
        text: try JSONEncoder.text(state), accumulators: team.accumulators,
        learning: state.averaged > 0 ? origin.network.weights : nil),
      keep: configuration.checkpointKeep, bestMeanScore: bestMeanScore, formerBest: formerBest)
  }

  private func state(best: RunState.Best?, sinceEvaluation: Double) -> RunState {
    let snapshot = monitor.ledger.snapshot
    let time = monitor.timer.reading
    return RunState(
      episodes: snapshot.episodes, moves: snapshot.moves, wallSeconds: wallSeconds,
      trainingSeconds: time.total, trainingSecondsSinceReport: time.sinceReport,
      sinceReport: snapshot.sinceReport, selfPlay: team.state, averaged: average?.count ?? 0,
      best: best, isEvaluationPending: isEvaluationPending ? true : nil,
      secondsSinceEvaluation: configuration.evaluationEverySeconds > 0 ? sinceEvaluation : nil)
  }

  private func metadata(of state: RunState) -> ModelMetadata {
    let seed = UInt64(configuration.seed)
    let segment = TrainingSegment(
      episodes: state.episodes - origin.state.episodes, moves: state.moves - origin.state.moves,
      seed: seed, wallSeconds: state.wallSeconds - origin.state.wallSeconds,
      version: Version.current)
    return ModelMetadata(
      config: configuration.json.text, fourProbability: configuration.fourProbability,
      history: origin.history + [segment], episodes: state.episodes, moves: state.moves, seed: seed,
      version: Version.current)
  }
}
