import ArgumentParser

struct BenchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench",
    abstract: "Measure the speed of training, play, search and updates.",
    discussion: """
      Variants are measured in turn, so that a noisy machine affects all of them equally. Tables show the \
      median of the repeats with the smallest and largest, and the ratio to the first variant, computed \
      per repeat. Networks are trained first, since look-ups in an untrained one rarely miss a cache.
      """,
    subcommands: [
      BenchTrain.self, BenchEvaluate.self, BenchSearch.self, BenchUpdate.self, BenchGrowth.self,
      BenchSignature.self,
    ],
    defaultSubcommand: BenchTrain.self)
}
