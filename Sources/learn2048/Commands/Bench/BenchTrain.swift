import ArgumentParser
import Benchmarks

struct BenchTrain: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "train",
    abstract: "Measure self-play with learning, for every combination of the options.",
    discussion: """
      The workers are the same as in a training run. Every measurement starts from the same trained \
      weights and the same seed. A list is separated by commas, such as 1,2,4.

        learn2048 bench train --patterns 4x6 --patterns 8x6
      """)

  @OptionGroup var networks: BenchNetworkOptions

  @OptionGroup var training: BenchTrainingOptions

  @OptionGroup var measuring: BenchPlanOptions

  func run() throws {
    // Errors are reported before networks are trained, which takes a while.
    _ = try training.configurations(patterns: ["012345"])
    let cases = try networks.networks().flatMap { network in
      try training.configurations(patterns: network.patterns, boardSize: network.boardSize).map {
        TrainingBenchmark.Case(network: network, configuration: $0)
      }
    }
    try measuring.show(
      TrainingBenchmark.run(cases, plan: measuring.plan, progress: measuring.showProgress))
  }
}
