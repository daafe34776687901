import ArgumentParser
import Benchmarks
import Configuration
import TDLearning

struct BenchUpdate: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "update",
    abstract: "Measure updates alone on recorded episodes, for each kernel backend and batch size.",
    discussion: """
      In training an update is cheaper than here, since play has just fetched the same cache lines.
      """)

  @OptionGroup var networks: BenchNetworkOptions

  @Option(
    help: ArgumentHelp("Batch sizes in moves, such as 16,64.", valueName: "list"),
    transform: batchSizes)
  var batch = CountList(values: [16, 64, 256, 1024])

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Least number of moves of a measurement (default: 500000).", valueName: "n"),
    transform: positiveCount)
  var moves: Int = 500_000

  @OptionGroup var measuring: BenchPlanOptions

  func validate() throws {
    if measuring.seconds != nil || measuring.games != nil {
      throw ValidationError(
        "an update is measured over all --moves. Leave out --seconds and --games.")
    }
    if networks.patterns.count + networks.model.count > 1 {
      throw ValidationError(
        "the episodes come from one network. Name one with --patterns or --model.")
    }
  }

  /// Reads a list of allowed values of `learning.batchSize`.
  private static func batchSizes(_ text: String) throws -> CountList {
    let list = try positiveCounts(text)
    let allowed = TrainingConfiguration.batchSizes
    guard list.values.allSatisfy(allowed.contains) else {
      throw ValidationError("A batch has at most \(allowed.upperBound) moves.")
    }
    return list
  }

  func run() throws {
    try measuring.show(
      UpdateBenchmark.run(
        network: try networks.networks()[0], paths: KernelBackend.allCases,
        batchSizes: batch.values, moves: moves, plan: measuring.plan,
        progress: measuring.showProgress))
  }
}
