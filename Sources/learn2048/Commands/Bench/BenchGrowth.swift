import ArgumentParser
import Basics
import Benchmarks
import Configuration
import Console

struct BenchGrowth: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "growth",
    abstract: "Measure training as networks grow: 1 to 12 patterns of 6 cells, 2 of 4 to 7 cells.",
    discussion: """
      One network after the other is trained and measured; the ratio is to the first number of \
      threads on the same network. A network that does not fit into memory twice is left out, which \
      a line on standard error says. --patterns names other networks.
      """)

  @Option(
    parsing: .singleValue,
    help: "The patterns of a network, in place of the usual ones; may be repeated.")
  var patterns: [String] = []

  @Option(
    parsing: .unconditional,
    help: "Moves that a network is trained for before it is measured (default: 25e6).",
    transform: count)
  var trainMoves: Int = BenchNetworkOptions.trainMoves

  @OptionGroup var training: BenchTrainingOptions

  @OptionGroup var measuring: BenchPlanOptions

  func run() throws {
    let usual = (GrowingNetworks.counts + GrowingNetworks.sizes).map { $0.joined(separator: ",") }
    let networks = try (patterns.isEmpty ? usual : patterns).map(BenchNetworkOptions.configuration)
    _ = try training.configurations(patterns: networks[0].patterns)
    var report = BenchmarkReport("growth", plan: measuring.plan)
    for (place, network) in networks.enumerated() {
      StandardError.shared.line("network \(place + 1) of \(networks.count)")
      do {
        report.append(try measure(network))
      } catch let error as LocatedError where error.kind == .insufficientMemory {
        StandardError.shared.line("left out: \(error)")
      }
    }
    try measuring.show(report)
  }

  private func measure(_ configuration: TrainingConfiguration) throws -> BenchmarkReport {
    let network = try BenchNetworkOptions.train(
      configuration, name: GrowingNetworks.name(configuration.patterns), moves: trainMoves)
    let cases = try training.configurations(patterns: network.patterns).map {
      TrainingBenchmark.Case(network: network, configuration: $0)
    }
    return try TrainingBenchmark.run(
      cases, plan: measuring.plan, progress: measuring.showProgress)
  }
}
