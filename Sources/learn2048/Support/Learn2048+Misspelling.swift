import ArgumentParser
import Basics

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
