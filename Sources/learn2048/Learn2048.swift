import ArgumentParser
import Basics
import Console
import Foundation
import Ranks

@main
struct Learn2048: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "learn2048",
    abstract: "Train n-tuple networks to play 2048, and play with them.",
    discussion: """
      MODEL is a run directory (its best checkpoint; RUN@latest, RUN@best or RUN@EPISODES for others) or a \
      weight file (.safetensors, .compact, or .w of TDL2048+). A name without a slash is looked up under \
      Models/ first, and default is the bundled model. PLAYER is a name with options, such as expectimax:evaluator=rowScore,depth=3. \
      Docs/Reference/ documents players, configuration keys, metrics and exit codes.
      """,
    version: Version.current,
    subcommands: [
      TrainCommand.self, EvaluateCommand.self, PlayCommand.self, AnalyzeCommand.self,
      ReplayCommand.self, ReviewCommand.self, InspectCommand.self, ConvertCommand.self,
      AverageCommand.self, BenchCommand.self, SweepCommand.self, TablesCommand.self,
      ServeCommand.self, ConfigCommand.self, ReferenceCommand.self, ParseCommand.self,
    ])

  static func main() {
    openClosedStandardStreams()
    AddressSpace.restartIfLimited()
    warnAboutDebugBuild()
    // A reader that goes away and a limit on file sizes are errors of a write, which reports them; they
    // must not end a training.
    for number in [SIGPIPE, SIGXFSZ] { signal(number, SIG_IGN) }
    do {
      do {
        var command = try parse(arguments: Array(CommandLine.arguments.dropFirst()))
        if !Job.commands.contains(where: { $0 == type(of: command) }) {
          try Job.requireSole(type(of: command).configuration.commandName ?? "")
        }
        try command.run()
      } catch  where exitCode(for: error) == .success {
        // A request for a text, such as the help.
        StandardOutput.line(fullMessage(for: error))
      }
      if let error = StandardOutput.error {
        throw Failure(
          .inputOutput,
          "standard output: \(error). The output is incomplete; run the command again.")
      }
      Job.leave(exitCode: 0)
    } catch {
      if error is JobFailure { Job.end() }
      let failure = Failure(error)
      StandardError.shared.endProgress()
      if !failure.message.isEmpty { Job.report(failure.message) }
      Job.leave(exitCode: failure.exitCode.rawValue)
      exit(withError: failure.exitCode)
    }
  }

  /// Returns the command that a command line asks for.
  ///
  /// - Throws: `Failure` for a misspelt command or option, which the argument parser would report after
  ///   arguments that are missing because of it; otherwise the argument parser's error.
  static func parse(arguments: [String]) throws -> any ParsableCommand {
    // The request of a shell for completions has the words of an unfinished command line.
    if arguments.first != "---completion", let place = arguments.firstIndex(of: "") {
      let after = place > 0 ? ", after '\(arguments[place - 1])'," : ""
      throw Failure(
        usage:
          "argument \(place + 1)\(after) is empty. Leave it out, or check for a shell variable that is "
          + "not set.", of: [])
    }
    // The argument parser prints the help of the program for a command that it does not know.
    if arguments.first == "help", let failure = misspelling(in: arguments) { throw failure }
    do {
      return try parseAsRoot(arguments)
    } catch  where exitCode(for: error) == .validationFailure {
      throw misspelling(in: arguments) ?? error
    }
  }

  private static func warnAboutDebugBuild() {
    #if DEBUG
      StandardError.shared.line(
        "learn2048: this is a debug build, which is tens of times slower. Build the optimised one with "
          + "scripts/build.")
    #endif
  }
}
