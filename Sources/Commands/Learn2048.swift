import ArgumentParser
import Basics
import Foundation
import Play

/// The program: `learn2048`, and `learn2048-mpi`, which passes a connection to the other processes of its job.
public struct Learn2048: ParsableCommand {
  public init() {}

  public static let configuration = CommandConfiguration(
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

  /// Runs the command that the arguments of the process ask for, and ends the process.
  ///
  /// - Parameter connect: Connects the process to the others that a launcher has started.
  public static func main(connect: (@Sendable () -> (any JobConnection)?)?) -> Never {
    Job.use(connect)
    openClosedStandardStreams()
    AddressSpace.restartIfLimited()
    warnAboutDebugBuild()
    // A reader that goes away and a limit on file sizes are errors of a write, which reports them; they
    // must not end a training.
    for number in [SIGPIPE, SIGXFSZ] { signal(number, SIG_IGN) }
    ModelLocator.onSubstitute { run in
      StandardError.shared.line("There is no bundled model here. Using the newest run, \(run).")
    }
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
      StandardOutput.finish()
      if let error = StandardOutput.error {
        throw Failure(
          .inputOutput,
          "standard output: \(error). The output is incomplete; run the command again.")
      }
      LockFile.releaseAll()
      Job.leave(exitCode: 0)
      Foundation.exit(0)
    } catch {
      if error is JobFailure { Job.end() }
      let failure = Failure(error)
      StandardError.shared.endProgress()
      if !failure.message.isEmpty { Job.report(failure.message) }
      LockFile.releaseAll()
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

extension Learn2048 {
  /// The argument parser's description of all commands and their arguments.
  static var description: JSONValue? {
    try? JSONParser.parse(Array(_dumpHelp().utf8))["command"]
  }
}

// The description of a command or an argument.
extension JSONValue {
  subscript(key: String) -> JSONValue? { object?[key] }

  var name: String { self["commandName"]?.string ?? "" }

  /// The names of an option as they are typed, such as `--seed`.
  var spellings: [String] {
    (self["names"]?.array ?? []).compactMap { name in
      name["name"]?.string.map { (name["kind"]?.string == "long" ? "--" : "-") + $0 }
    }
  }
}

extension Learn2048 {
  /// Returns the error for the first misspelt command or unknown option of a command line; nil if there is
  /// none.
  ///
  /// The argument parser reports missing arguments first, and knows no suggestions for commands.
  static func misspelling(in arguments: [String]) -> Failure? {
    guard var command = description else { return nil }
    var path: [String] = []
    var words = arguments[...]
    while let word = words.popFirst(), word != "--" {
      let subcommands = command["subcommands"]?.array ?? []
      if word.hasPrefix("-"), word != "-h", word != "--help",
        let name = command["defaultSubcommand"]?.string,
        let fallback = subcommands.first(where: { $0.name == name })
      {
        command = fallback
        path.append(name)
      }
      if word.hasPrefix("-") {
        let options = command["arguments"]?.array ?? []
        let name = String(word.prefix { $0 != "=" })
        let known = options.flatMap(\.spellings).filter { $0.hasPrefix("--") }
        if name.hasPrefix("--"), !known.contains(name), name != "--experimental-dump-help" {
          return Failure(
            usage: "unknown option '\(name)'.\(suggestion(for: name, in: known))", of: path)
        }
        // A value that looks like an option may be one, which a forgotten value precedes.
        let takesValue = options.contains {
          $0["kind"]?.string == "option" && $0.spellings.contains(word)
        }
        if takesValue, words.first?.hasPrefix("--") == false { words.removeFirst() }
      } else if !subcommands.isEmpty {
        guard let next = subcommands.first(where: { $0.name == word }) else {
          let names = subcommands.filter { $0["shouldDisplay"] != .bool(false) }.map(\.name)
          return Failure(
            usage: "unknown command '\(word)'.\(suggestion(for: word, in: names))", of: path)
        }
        if word == "help" { continue }
        command = next
        path.append(word)
      }
    }
    return nil
  }
}
