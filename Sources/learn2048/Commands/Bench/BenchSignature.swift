import ArgumentParser
import Benchmarks
import Configuration
import Console

struct BenchSignature: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "signature",
    abstract: "Print one number that changes only if what is learned changes.",
    discussion: """
      The number is a hash of the scores and weights of a short training run without OpenBLAS. It is \
      the same on every processor.
      """)

  @Option(help: "How the run learns: asynchronous or synchronous.")
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
