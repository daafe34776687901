import ArgumentParser
import Basics
import Benchmarks
import Configuration
import TDLearning

/// The options of measured training: lists, of which every combination is a variant.
struct BenchTrainingOptions: ParsableArguments {
  @Option("list", "Numbers of threads (default: 1 and one per core).")
  var threads: String?

  @Option(help: ArgumentHelp("Values of learning.method.", valueName: "list"))
  var method: String = LearningMethod.td.rawValue

  @Option(help: ArgumentHelp("Values of learning.updatePath.", valueName: "list"))
  var path: String = KernelBackend.allCases.map(\.rawValue).joined(separator: ",")

  @Option(help: ArgumentHelp("Values of learning.mode.", valueName: "list"))
  var mode: String = LearningMode.asynchronous.rawValue

  @Option(
    help: ArgumentHelp(
      "Values of learning.batchSize, or in synchronous mode of learning.roundMoves.",
      valueName: "list"))
  var batch: String = "\(TrainingConfiguration().batchSize)"

  @Option(
    name: .customLong("set"), "key=value",
    repeatable: "Set another configuration key. Repeatable.")
  var settings: [String]

  /// One thread, and one thread per core.
  static var usualThreads: [Int] { coreCount > 1 ? [1, coreCount] : [1] }

  /// The starts of keys without effect on a measurement: they determine the network, which other options
  /// choose, or work at barriers, where nothing is measured.
  private static let idleSettings = [
    "network.", "game.boardSize", "averaging.", "learning.inheritEveryEpisodes", "evaluation.",
    "checkpoint.", "report.",
  ]

  func validate() throws {
    for setting in settings {
      if BenchTrainingOptions.idleSettings.contains(where: setting.hasPrefix) {
        throw ValidationError("--set \(setting) has no effect on a benchmark. Leave it out.")
      }
    }
  }

  /// Returns the trainings of a network with every combination.
  func variants(_ network: TrainedNetwork, _ amount: BenchmarkPlan.Amount) throws -> [Variant] {
    try configurations(patterns: network.patterns, boardSize: network.boardSize).map {
      try .training(network, $0, amount: amount)
    }
  }

  /// Returns a configuration for each combination.
  ///
  /// - Throws: `ConfigurationError` with all problems.
  func configurations(patterns: [String], boardSize: Int = 4) throws -> [TrainingConfiguration] {
    let usual = BenchTrainingOptions.usualThreads.map(String.init).joined(separator: ",")
    let dimensions = [
      (["learning.method"], "--method", method),
      (["learning.batchSize", "learning.roundMoves"], "--batch", batch),
      (["threads"], "--threads", threads ?? usual),
      (["learning.mode"], "--mode", mode),
      (["learning.updatePath"], "--path", path),
    ]
    var readers = [ConfigurationReader()]
    for (keys, option, list) in dimensions {
      let values = list.split(separator: ",", omittingEmptySubsequences: false)
      readers = readers.flatMap { reader in
        values.map { value in
          var reader = reader
          for key in keys {
            reader.set(key, to: JSONValue(commandLine: String(value)), option: option)
          }
          return reader
        }
      }
    }
    return try readers.map { reader in
      var reader = reader
      for setting in settings { reader.set(setting) }
      reader.set("game.boardSize", to: .integer(boardSize), option: "--model")
      reader.set(
        "network.patterns", to: .array(patterns.map { .string($0) }), option: "--patterns")
      return try reader.finished()
    }
  }
}
