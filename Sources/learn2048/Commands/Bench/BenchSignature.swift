import ArgumentParser
import Benchmarks
import Console

struct BenchSignature: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "signature",
    abstract: "Print one number that changes only if what is learned changes.",
    discussion: """
      It is a hash of the scores and weights of a short training with one worker on the plain path, \
      the same on every processor.
      """)

  @OptionGroup var output: OutputOptions

  func run() throws {
    let signature = try BehaviourSignature.compute()
    if output.json {
      try StandardOutput.json(["signature": signature])
    } else {
      StandardOutput.line(signature)
    }
  }
}
