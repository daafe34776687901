import Basics
import Foundation
import Game2048
import ModelFiles
import NTupleNetwork

extension TrainingRun {
  /// Writes the weights and the state to temporary files, which a commit puts in place.
  ///
  /// - Parameters:
  ///   - weights: the weights to save.
  ///   - bestMeanScore: the mean score of these weights if they are the best so far.
  ///   - formerBest: the best checkpoint of earlier saves.
  ///   - sinceEvaluation: seconds since the last evaluation.
  func prepareSave(
    _ weights: SharedWeights, bestMeanScore: Double? = nil, formerBest: BestCheckpoint? = nil,
    sinceEvaluation: Double = 0
  ) throws -> CheckpointDirectory.Prepared {
    var state = state(sinceEvaluation: sinceEvaluation)
    // The state has what the run continues from and the checkpoint does not have.
    let learning = weights === origin.network.weights ? nil : origin.network.weights
    let mean = average.flatMap {
      $0.count == 0 || weights === $0.network.weights ? nil : $0.network.weights
    }
    return try directory.checkpoints.prepareSave(
      player(weights), metadata: metadata(of: state),
      state: { best in
        state.best = best
        return SavedState(
          text: try JSONEncoder.text(state), accumulators: team.accumulators,
          learning: learning, average: mean)
      },
      keep: configuration.checkpointKeep, bestMeanScore: bestMeanScore, formerBest: formerBest)
  }

  private func state(sinceEvaluation: Double) -> RunState {
    let snapshot = monitor.ledger.snapshot
    let time = monitor.timer.reading
    return RunState(
      episodes: snapshot.episodes, moves: snapshot.moves, wallSeconds: wallSeconds,
      trainingSeconds: time.total, trainingSecondsSinceReport: time.sinceReport,
      sinceReport: snapshot.sinceReport, selfPlay: team.state, averaged: average?.count ?? 0,
      isEvaluationPending: isEvaluationPending ? true : nil,
      secondsSinceEvaluation: configuration.evaluationEverySeconds > 0 ? sinceEvaluation : nil)
  }

  /// The number of latest episodes over which the saved weights are an average; nil if they are none.
  private var averagedEpisodes: Int? {
    average?.reachOfSnapshot(after: partOfAveraging).map { reach in
      Int((reach * Double(configuration.averagingEveryEpisodes)).rounded())
    }
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
      version: Version.current, averagedEpisodes: averagedEpisodes)
  }
}

extension TrainingRun {
  /// Whether learning has diverged: a value that play meets is not a number, or beyond what a file can store.
  ///
  /// The beginning of one game shows it, because the errors of later boards reach those of earlier ones
  /// within a few episodes. A save checks every weight.
  ///
  /// - Complexity: some thousands of look-ups.
  package var hasDiverged: Bool {
    let (network, rules) = (origin.network, configuration.rules)
    var source = Xoshiro256(seed: 1)
    var board = rules.startBoard(using: &source)
    for _ in 0..<TrainingRun.checkedMoves {
      var best: (sum: Double, afterstate: Board)?
      for direction in Direction.allCases {
        guard let move = rules.move(board, direction) else { continue }
        let value = network.value(of: move.afterstate)
        guard abs(value) <= Double(TensorGroup.largestMagnitude) else { return true }
        let sum = Double(move.reward) + value
        if sum > best?.sum ?? -.infinity { best = (sum, move.afterstate) }
      }
      guard let best else { break }
      board = best.afterstate
      rules.spawn(on: &board, using: &source)
    }
    return false
  }

  /// The moves that ``hasDiverged`` plays, which reach a tile of about 128.
  private static let checkedMoves = 100

  /// The error for learning that has diverged, with the likely settings.
  var divergence: LocatedError {
    let rate = configuration.learningRate.steps.map(\.value).max() ?? 0
    var remedy = "start again with learning.learningRate below \(JSONValue.shortest(rate).text)"
    if configuration.mode == .synchronous {
      remedy += " or learning.roundMoves below \(configuration.roundMoves)"
    }
    if let checkpoint = try? directory.checkpoints.checkpoint(.latest) {
      remedy +=
        ", if need be from the checkpoint after "
        + "\(NumberText.count(checkpoint.episodes, "episode")) with --init"
    }
    return LocatedError(
      .unsuitableData, path: directory.path,
      "learning has diverged after \(NumberText.count(monitor.ledger.snapshot.episodes, "episode")): "
        + "values of boards are no longer finite",
      remedy: remedy)
  }
}
