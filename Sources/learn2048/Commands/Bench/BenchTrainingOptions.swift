import ArgumentParser
import Basics
import Configuration
import TDLearning

/// How to train while it is measured: lists, of which every combination is a variant.
struct BenchTrainingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Numbers of threads; by default 1 and one for each core.", valueName: "list"))
  var threads: String = CountList.threads.description

  @Option(help: ArgumentHelp("Values of learning.method.", valueName: "list"))
  var method: String = LearningMethod.td.rawValue

  @Option(help: ArgumentHelp("Values of learning.updatePath.", valueName: "list"))
  var path: String = KernelBackend.allCases.map(\.rawValue).joined(separator: ",")

  @Option(help: ArgumentHelp("Values of learning.mode.", valueName: "list"))
  var mode: String = LearningMode.asynchronous.rawValue

  @Option(
    help: ArgumentHelp(
      "Values of learning.batchSize and, for synchronous mode, learning.roundMoves.",
      valueName: "list"))
  var batch: String = "\(TrainingConfiguration().batchSize)"

  @Option(
    name: .customLong("set"), parsing: .singleValue,
    help: ArgumentHelp(
      "Set another key of the configuration; may be repeated.", valueName: "key=value"))
  var settings: [String] = []

  /// What decides the network, which comes from elsewhere, or is done between barriers, where nothing is
  /// measured.
  private static let idleSettings = [
    "network.", "game.boardSize", "averaging.", "learning.inheritEveryEpisodes", "evaluation.",
    "checkpoint.", "report.",
  ]

  func validate() throws {
    for setting in settings {
      if BenchTrainingOptions.idleSettings.contains(where: setting.hasPrefix) {
        throw ValidationError("--set \(setting) would change nothing here: leave it out.")
      }
    }
  }

  /// A configuration for each combination.
  ///
  /// - Throws: `ConfigurationError` with everything that is wrong.
  func configurations(patterns: [String], boardSize: Int = 4) throws -> [TrainingConfiguration] {
    let dimensions = [
      (["learning.method"], "--method", method),
      (["learning.batchSize", "learning.roundMoves"], "--batch", batch),
      (["threads"], "--threads", threads), (["learning.mode"], "--mode", mode),
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
