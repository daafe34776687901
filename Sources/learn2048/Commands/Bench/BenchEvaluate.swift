import ArgumentParser
import Benchmarks

struct BenchEvaluate: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "evaluate",
    abstract: "Measure greedy play (1 ply) of trained networks.",
    discussion: "Every measurement plays on the same spawns.")

  @OptionGroup var networks: BenchNetworkOptions

  @Option(
    help: ArgumentHelp(
      "Numbers of threads, such as 1,2,4 (default: 1 and one per core).", valueName: "list"),
    transform: threadCounts)
  var threads: CountList?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Seed of all spawns (default: 2048).", valueName: "n"), transform: count)
  var seed: Int = 2048

  @OptionGroup var measuring: BenchPlanOptions

  func run() throws {
    try measuring.show(
      PlayBenchmark.run(
        networks.networks(), threads: (threads ?? .threads).values, seed: UInt64(seed),
        plan: measuring.plan,
        progress: measuring.showProgress))
  }
}
