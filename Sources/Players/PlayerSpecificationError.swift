import Basics

/// The reason why a PLAYER text names no player.
public enum PlayerSpecificationError: Error, Equatable, CustomStringConvertible {
  /// No player has this name.
  case unknownPlayer(String)
  /// The player does not have an option with this key.
  case unknownKey(String, player: String, allowed: [String])
  /// An option is given twice.
  case repeatedKey(String, player: String)
  /// An option is not of the form `key=value`.
  case notAnOption(String, player: String, allowed: [String])
  /// The option does not accept this value.
  case badValue(String, key: String, player: String, allowed: [String])
  /// Options exclude each other.
  case conflict(String, player: String)

  /// The problem and its remedy in one line.
  public var description: String {
    switch self {
    case .unknownPlayer(let name):
      let names = PlayerKind.allCases.map(\.name)
      return "unknown player '\(name)'." + suggestion(for: name, in: names) + list("Players", names)
    case .unknownKey(let key, let player, let allowed) where allowed.isEmpty:
      return "player '\(player)' takes no options. Remove '\(key)'."
    case .unknownKey(let key, let player, let allowed):
      return "player '\(player)' has no option '\(key)'." + suggestion(for: key, in: allowed)
        + list("Options", allowed)
    case .repeatedKey(let key, let player):
      return "player '\(player)': option '\(key)' is given twice. Give it once."
    case .notAnOption(let text, let player, let allowed):
      return "player '\(player)': '\(text)' is not of the form key=value." + list("Keys", allowed)
    case .badValue(let value, let key, let player, let allowed):
      return "player '\(player)': \(key) cannot be '\(value)'."
        + suggestion(for: value, in: allowed)
        + list("Allowed", allowed)
    case .conflict(let problem, let player): return "player '\(player)': \(problem)"
    }
  }

  private func list(_ title: String, _ names: [String]) -> String {
    " \(title): " + names.joined(separator: ", ")
  }
}
