import ArgumentParser
import Experiments
import Learning
import Training

struct BenchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench",
    abstract: "Measure the speed of training, play and search.",
    discussion: """
      Variants are measured in turn, so that a noisy machine affects all of them equally. Tables show the \
      median of the repeats with the smallest and largest, and the ratio to the first variant, computed \
      per repeat. Networks are trained first, since look-ups in an untrained one rarely miss a cache.
      """,
    subcommands: [
      BenchTrain.self, BenchEvaluate.self, BenchSearch.self, BenchRegret.self, BenchLevels.self,
      BenchGrowth.self,
      BenchRanks.self, BenchSignature.self,
    ],
    defaultSubcommand: BenchTrain.self)
}

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

  @OptionGroup var length: BenchLengthOptions

  @OptionGroup var measuring: BenchPlanOptions

  func run() throws {
    // Errors are reported before networks are trained, which takes a while.
    _ = try training.configurations(patterns: ["012345"])
    try measuring.run(
      "train", networks.networks().flatMap { try training.variants($0, length.amount) })
  }
}

struct BenchEvaluate: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "evaluate",
    abstract: "Measure greedy play (1 ply) of trained networks.",
    discussion: "Every measurement plays on the same spawns.")

  @OptionGroup var networks: BenchNetworkOptions

  @Option(
    "list", "Numbers of threads, such as 1,2,4 (default: 1 and one per core).",
    read: list(of: threadCount))
  var threads: [Int] = BenchTrainingOptions.usualThreads

  @Option("n", "Seed of all spawns (default: 2048).", read: count)
  var seed: Int = 2048

  @OptionGroup var length: BenchLengthOptions

  @OptionGroup var measuring: BenchPlanOptions

  func run() throws {
    try measuring.run(
      "evaluate",
      networks.networks().flatMap { network in
        threads.map {
          .play(network, threads: $0, seed: UInt64(seed), amount: length.amount)
        }
      })
  }
}

struct BenchSignature: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "signature",
    abstract: "Print a hash of the weights of a fixed training run.",
    discussion: """
      The command measures nothing. It trains for a moment and hashes scores and weights. The hash is \
      the same on every processor, and changes only if the behaviour of learning does.
      """)

  @Option(help: "Mode of the training run, as learning.mode.")
  var mode = LearningMode.asynchronous

  @OptionGroup var output: OutputOptions

  func run() throws {
    let signature = try BehaviourSignature.compute(mode)
    try output.show(["signature": signature], text: signature)
  }
}

extension LearningMode: ExpressibleByArgument {}
