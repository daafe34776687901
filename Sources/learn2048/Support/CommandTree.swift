import ArgumentParser
import Basics
import Foundation

/// The commands and their options, as the argument parser describes them.
struct CommandTree: Decodable {
  /// An option, flag or argument.
  struct Argument: Decodable {
    struct Name: Decodable {
      let kind: String
      let name: String
    }

    let kind: String
    let names: [Name]?

    /// The long names, such as `--seed`.
    var longNames: [String] { (names ?? []).filter { $0.kind == "long" }.map { "--" + $0.name } }

    /// Whether a value follows `text`, which is one of the names.
    func takesValue(after text: String) -> Bool {
      kind == "option"
        && (names ?? []).contains { text == ($0.kind == "long" ? "--" : "-") + $0.name }
    }
  }

  let commandName: String
  let arguments: [Argument]?
  let subcommands: [CommandTree]?
  let defaultSubcommand: String?
  let shouldDisplay: Bool?

  /// The tree of all commands; nil if the argument parser describes it in another form.
  static var all: CommandTree? {
    struct Document: Decodable {
      let command: CommandTree
    }
    let text = Learn2048._dumpHelp()
    return try? JSONDecoder().decode(Document.self, from: Data(text.utf8)).command
  }

  /// Returns the error for the first misspelt command or unknown option of a command line; nil if there is
  /// none.
  ///
  /// The argument parser reports missing arguments first, and knows no suggestions for commands.
  func misspelling(in arguments: [String]) -> Failure? {
    var command = self
    var path: [String] = []
    var words = arguments[...]
    while let word = words.popFirst(), word != "--" {
      if word.hasPrefix("-"), word != "-h", word != "--help", let name = command.defaultSubcommand,
        let fallback = command.subcommands?.first(where: { $0.commandName == name })
      {
        command = fallback
        path.append(name)
      }
      let options = command.arguments ?? []
      if word.hasPrefix("--") {
        let name = String(word.prefix { $0 != "=" })
        let known = options.flatMap(\.longNames)
        guard known.contains(name) || name == "--experimental-dump-help" else {
          return Failure(
            usage: "unknown option '\(name)'.\(suggestion(for: name, in: known))", of: path)
        }
      }
      if word.hasPrefix("-") {
        // A value that looks like an option may be one, which a forgotten value precedes.
        if options.contains(where: { $0.takesValue(after: word) }),
          words.first?.hasPrefix("--") == false
        {
          words.removeFirst()
        }
        continue
      }
      guard let subcommands = command.subcommands, !subcommands.isEmpty else { continue }
      guard let next = subcommands.first(where: { $0.commandName == word }) else {
        let names = subcommands.filter { $0.shouldDisplay ?? true }.map(\.commandName)
        return Failure(
          usage: "unknown command '\(word)'.\(suggestion(for: word, in: names))", of: path)
      }
      if next.commandName == "help" { return nil }
      command = next
      path.append(word)
    }
    return nil
  }
}
