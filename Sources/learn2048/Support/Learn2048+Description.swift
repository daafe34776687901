import ArgumentParser
import Basics

extension Learn2048 {
  /// The argument parser's description of all commands and their arguments.
  static var description: JSONValue? {
    try? JSONParser.parse(Array(_dumpHelp().utf8))["command"]
  }
}

// The description of a command or an argument.
extension JSONValue {
  subscript(key: String) -> JSONValue? { object?[key] }

  /// The name of a command.
  var name: String { self["commandName"]?.string ?? "" }

  /// The names of an option as they are typed, such as `--seed`.
  var spellings: [String] {
    (self["names"]?.array ?? []).compactMap { name in
      name["name"]?.string.map { (name["kind"]?.string == "long" ? "--" : "-") + $0 }
    }
  }
}
