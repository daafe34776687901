import ArgumentParser
import Benchmarks
import Configuration
import TDLearning

struct BenchUpdate: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "update",
    abstract: "Measure the update alone on recorded episodes, for each path and batch size.",
    discussion: """
      In training an update costs less than here, since play has just fetched the same cache lines.
      """)

  @OptionGroup var networks: BenchNetworkOptions

  @Option(
    help: ArgumentHelp("Sizes of batches, in moves.", valueName: "list"),
    transform: batchSizes)
  var batch = CountList(values: [16, 64, 256, 1024])

  @Option(
    parsing: .unconditional, help: "Moves of one measurement, at least.", transform: positiveCount)
  var moves: Int = 500_000

  @OptionGroup var measuring: BenchPlanOptions

  func validate() throws {
    if measuring.seconds != nil || measuring.games != nil {
      throw ValidationError(
        "an update is measured over all --moves: leave out --seconds and --games.")
    }
    if networks.patterns.count + networks.model.count > 1 {
      throw ValidationError("the episodes come from one network: name one.")
    }
  }

  /// Reads a list of what `learning.batchSize` may be.
  private static func batchSizes(_ text: String) throws -> CountList {
    let list = try positiveCounts(text)
    let allowed = TrainingConfiguration.batchSizes
    guard list.values.allSatisfy(allowed.contains) else {
      throw ValidationError("a batch has at most \(allowed.upperBound) moves")
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
