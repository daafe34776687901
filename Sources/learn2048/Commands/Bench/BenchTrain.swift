import ArgumentParser
import Benchmarks
import Training

struct BenchTrain: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "train",
    abstract: "Measure self-play with learning, in every combination of the options given.",
    discussion: """
      The workers are those of a training run. Every measurement starts from the same trained weights \
      and the same seed. Lists are separated by commas.
      """)

  @OptionGroup var networks: BenchNetworkOptions

  @Option(
    help: ArgumentHelp(
      "Numbers of threads; by default 1 and one for each core.", valueName: "list"))
  var threads: String = coreCount > 1 ? "1,\(coreCount)" : "1"

  @Option(help: ArgumentHelp("Values of learning.method.", valueName: "list"))
  var method: String = TrainingConfiguration().method.rawValue

  @Option(help: ArgumentHelp("Values of learning.updatePath.", valueName: "list"))
  var path: String = UpdatePath.allCases.map(\.rawValue).joined(separator: ",")

  @Option(help: ArgumentHelp("Values of learning.batchSize.", valueName: "list"))
  var batch: String = "\(TrainingConfiguration().batchSize)"

  @Option(
    name: .customLong("set"), parsing: .singleValue,
    help: ArgumentHelp(
      "Set another key of the configuration; may be repeated.", valueName: "key=value"))
  var settings: [String] = []

  @OptionGroup var measuring: BenchPlanOptions

  func run() throws {
    // Before networks are trained, which takes a while.
    _ = try configurations(patterns: ["012345"])
    let cases = try networks.networks().flatMap { network in
      try configurations(patterns: network.patterns).map {
        TrainingBenchmark.Case(network: network, configuration: $0)
      }
    }
    try measuring.show(
      TrainingBenchmark.run(cases, plan: measuring.plan, progress: measuring.showProgress))
  }

  /// A configuration for each combination.
  private func configurations(patterns: [String]) throws -> [TrainingConfiguration] {
    let dimensions = [
      ("learning.method", "--method", method), ("learning.batchSize", "--batch", batch),
      ("threads", "--threads", threads), ("learning.updatePath", "--path", path),
    ]
    var readers = [ConfigurationReader()]
    for (key, option, list) in dimensions {
      let values = list.split(separator: ",", omittingEmptySubsequences: false)
      readers = readers.flatMap { reader in
        values.map { value in
          var reader = reader
          reader.set(key, to: JSONValue(commandLine: String(value)), option: option)
          return reader
        }
      }
    }
    return try readers.map { reader in
      var reader = reader
      for setting in settings { reader.set(setting) }
      reader.set(
        "network.patterns", to: .array(patterns.map { .string($0) }), option: "--patterns")
      return try reader.finished()
    }
  }
}
