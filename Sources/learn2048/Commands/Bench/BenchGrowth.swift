import ArgumentParser
import Basics
import Benchmarks
import Console

struct BenchGrowth: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "growth",
    abstract: "Measure training with networks of growing size.",
    discussion: """
      The networks have 1 to 12 patterns of 6 cells, then 2 patterns of 4 to 7 cells; --patterns chooses \
      others. They are trained and measured one after the other. The ratio is to the first number of \
      threads on the same network. A network that does not fit into memory twice is skipped with a \
      warning.
      """)

  @Option(
    "patterns",
    repeatable:
      "Patterns of a network to measure instead, such as 4x6 or 012345,456789. Repeatable.")
  var patterns: [String]

  @Option(
    "n", "Number of moves to train a network for before measuring it (default: 25e6).",
    read: count)
  var trainMoves: Int = BenchNetworkOptions.trainMoves

  @OptionGroup var training: BenchTrainingOptions

  @OptionGroup var length: BenchLengthOptions

  @OptionGroup var measuring: BenchPlanOptions

  func run() throws {
    let usual = (GrowingNetworks.counts + GrowingNetworks.sizes).map { $0.joined(separator: ",") }
    let networks = try (patterns.isEmpty ? usual : patterns).map(BenchNetworkOptions.configuration)
    _ = try training.configurations(patterns: networks[0].patterns)
    var report = BenchmarkReport("growth", plan: measuring.plan)
    for (place, configuration) in networks.enumerated() {
      StandardError.shared.line("network \(place + 1) of \(networks.count)")
      do {
        let network = try BenchNetworkOptions.train(
          configuration, name: GrowingNetworks.name(configuration.patterns), moves: trainMoves)
        try report.measure(
          training.variants(network, length.amount), plan: measuring.plan,
          progress: measuring.showProgress)
      } catch let error as LocatedError where error.kind == .insufficientMemory {
        StandardError.shared.line("skipped: \(error)")
      }
    }
    try measuring.show(report)
  }
}
