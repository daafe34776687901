import ArgumentParser
import Benchmarks
import Configuration
import Console

struct BenchSignature: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "signature",
    abstract: "Print a hash of the weights of a fixed training run.",
    discussion: """
      The command measures nothing. It trains for a moment without OpenBLAS and hashes scores and weights. \
      The hash is the same on every processor, and changes only if the behaviour of learning does.
      """)

  @Option(help: "Mode of the training run, as learning.mode.")
  var mode = LearningMode.asynchronous

  @OptionGroup var output: OutputOptions

  func run() throws {
    let signature = try BehaviourSignature.compute(mode)
    if output.json {
      try StandardOutput.json(["signature": signature])
    } else {
      StandardOutput.line(signature)
    }
  }
}

extension LearningMode: ExpressibleByArgument {}
