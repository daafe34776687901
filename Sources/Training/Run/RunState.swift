import Basics
import Foundation
import Learning
import ModelFiles
import NTupleNetwork

/// The state of a run apart from weights and accumulators, saved as the text of a ``SavedState``.
///
/// With all of them, a resumed run continues as if it had not stopped.
struct RunState: Codable, Equatable, Sendable {
  /// Episodes and moves finished.
  var episodes = 0
  var moves = 0
  /// Seconds spent, over all sessions.
  var wallSeconds = 0.0
  /// Of them, seconds spent training; nil in states of versions that did not count them.
  var trainingSeconds: Double?
  /// Seconds spent training since the last report.
  var trainingSecondsSinceReport = 0.0
  /// The episodes since the last report.
  var sinceReport = EpisodeStatistics()
  /// The players; nil in a run that has not begun.
  var selfPlay: SelfPlayState?
  /// The number of networks in the running average.
  var averaged = 0
  /// The best checkpoint so far.
  var best: BestCheckpoint?
  /// Whether a stop postponed or ended an evaluation, which the resumed run plays first.
  var isEvaluationPending: Bool?
  /// Seconds since the last evaluation, or since the beginning, where evaluations go by time.
  var secondsSinceEvaluation: Double?

  /// Whether a run can be in this state.
  var isValid: Bool {
    let seconds = [
      wallSeconds, secondsOfTraining, trainingSecondsSinceReport, secondsSinceEvaluation ?? 0,
    ]
    return [episodes, moves, averaged].allSatisfy { InputLimit.count.allows($0) }
      && sinceReport.isValid && seconds.allSatisfy { (0..<1e12).contains($0) }
  }

  /// The largest number of episodes of a report that a run which resumes from here does not make again.
  var lastReported: Int { sinceReport.episodes > 0 ? episodes - 1 : episodes }

  /// Seconds spent training, or the closest known figure in states that do not have it.
  var secondsOfTraining: Double { trainingSeconds ?? wallSeconds }
}

extension RunState {
  /// The players as version 0.1.0 saved them.
  private struct FormerPlayers: Decodable {
    struct Round: Decodable {
      var lanes: [PlayerState]
      var uncounted: [EpisodeResult]
    }

    var workers: [PlayerState]
    var round: Round?
  }

  /// Reads the text of a saved state.
  ///
  /// - Throws: `DecodingError`.
  init(text: String) throws {
    let data = Data(text.utf8)
    self = try JSONDecoder().decode(RunState.self, from: data)
    guard selfPlay == nil else { return }
    let former = try JSONDecoder().decode(FormerPlayers.self, from: data)
    selfPlay = SelfPlayState(
      players: former.round?.lanes ?? former.workers, uncounted: former.round?.uncounted ?? [])
  }
}

extension SavedState {
  private static let learning = "learning"
  private static let average = "average"

  /// Creates a state with the tables of the update rules, and the weights that learn and the running average if
  /// the checkpoint does not hold them.
  init(
    text: String, accumulators: Accumulators, learning: SharedWeights?, average: SharedWeights?
  ) {
    // In the order in which the rules list them.
    let names = LearningMethod.allCases.flatMap { $0.rule.accumulatorNames }
    var groups = names.compactMap { name in
      accumulators.tables[name].map { TensorGroup(name, $0) }
    }
    if let learning { groups.append(TensorGroup(SavedState.learning, learning)) }
    if let average { groups.append(TensorGroup(SavedState.average, average)) }
    self.init(text: text, accumulators: groups)
  }

  /// The weights that learn; nil if they are those of the checkpoint.
  var learningWeights: SharedWeights? { accumulator(SavedState.learning) }

  /// The running average; nil if there is none, or if it is that of the checkpoint.
  var averageWeights: SharedWeights? { accumulator(SavedState.average) }

  /// Returns the tables that the rules of these methods keep; nil if the state lacks one.
  func accumulators(of shape: NetworkShape, for methods: Set<LearningMethod>) -> Accumulators? {
    let names = Accumulators.names(for: methods)
    let tables = names.compactMap { name in accumulator(name).map { (name, $0) } }
    guard tables.count == names.count else { return nil }
    return Accumulators(shape, tables: Dictionary(uniqueKeysWithValues: tables))
  }
}
