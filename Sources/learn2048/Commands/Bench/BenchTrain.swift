import ArgumentParser
import Benchmarks

struct BenchTrain: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "train",
    abstract: "Measure self-play with learning, in every combination of the options given.",
    discussion: """
      The workers are those of a training run. Every measurement starts from the same trained weights \
      and the same seed. Lists are separated by commas.
      """)

  @OptionGroup var networks: BenchNetworkOptions

  @OptionGroup var training: BenchTrainingOptions

  @OptionGroup var measuring: BenchPlanOptions

  func run() throws {
    // Before networks are trained, which takes a while.
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
