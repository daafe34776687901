import ArgumentParser
import Benchmarks

struct BenchEvaluate: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "evaluate",
    abstract: "Measure greedy play (1 ply) of trained networks, on the same spawns every time.")

  @OptionGroup var networks: BenchNetworkOptions

  @Option(
    help: ArgumentHelp(
      "Numbers of threads; by default 1 and one for each core.", valueName: "list"),
    transform: threadCounts)
  var threads = CountList.threads

  @Option(
    parsing: .unconditional, help: "The seed of all spawns (default: 2048).", transform: count)
  var seed: Int = 2048

  @OptionGroup var measuring: BenchPlanOptions

  func run() throws {
    try measuring.show(
      PlayBenchmark.run(
        networks.networks(), threads: threads.values, seed: UInt64(seed),
        plan: measuring.plan,
        progress: measuring.showProgress))
  }
}
