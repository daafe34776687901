import ArgumentParser
import Basics
import Console
import Foundation

@main
struct Learn2048: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "learn2048",
    abstract: "Trains n-tuple networks to play 2048, and plays with them.",
    version: Version.current,
    subcommands: [
      TrainCommand.self, EvaluateCommand.self, PlayCommand.self, AnalyzeCommand.self,
      ReplayCommand.self, InspectCommand.self, ConvertCommand.self, AverageCommand.self,
      BenchCommand.self, SweepCommand.self, ServeCommand.self,
    ])

  static func main() {
    warnOfDebugBuild()
    // A reader that goes away and a limit on file sizes are errors of a write, which says so; they
    // must not end a training.
    for number in [SIGPIPE, SIGXFSZ] { signal(number, SIG_IGN) }
    do {
      var command = try parseAsRoot()
      try command.run()
      if let error = StandardOutput.error {
        throw Failure(
          .inputOutput,
          "standard output: \(error); what was printed there is not whole, so print it anew")
      }
    } catch {
      guard let failure = Failure(error) else { exit(withError: error) }
      StandardError.shared.endProgress()
      if !failure.message.isEmpty { StandardError.shared.line("learn2048: " + failure.message) }
      exit(withError: failure.exitCode)
    }
  }

  private static func warnOfDebugBuild() {
    #if DEBUG
      StandardError.shared.line(
        "learn2048: this is a debug build, tens of times slower than the optimised one; "
          + "scripts/build makes that.")
    #endif
  }
}
