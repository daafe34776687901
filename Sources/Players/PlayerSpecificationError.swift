import Basics

/// Why a text names no player.
public enum PlayerSpecificationError: Error, Equatable, CustomStringConvertible {
  /// No player has this name.
  case unknownPlayer(String)
  /// The player has no option of this name.
  case unknownKey(String, player: String, allowed: [String])
  /// An option is given twice.
  case repeatedKey(String, player: String)
  /// An option is not of the form `key=value`.
  case notAnOption(String, player: String, allowed: [String])
  /// The value of an option is none that it can take.
  case badValue(String, key: String, player: String, allowed: [String])
  /// Options that do not go together.
  case conflict(String, player: String)

  public var description: String {
    switch self {
    case .unknownPlayer(let name):
      "no player is called '\(name)'" + hint(name, PlayerSpecification.playerNames)
        + "; players: " + list(PlayerSpecification.playerNames)
    case .unknownKey(let key, let player, let allowed) where allowed.isEmpty:
      "player '\(player)' takes no options, but was given '\(key)'"
    case .unknownKey(let key, let player, let allowed):
      "player '\(player)' has no option '\(key)'" + hint(key, allowed) + "; options: "
        + list(allowed)
    case .repeatedKey(let key, let player):
      "player '\(player)': option '\(key)' is given twice"
    case .notAnOption(let text, let player, let allowed):
      "player '\(player)': '\(text)' is no option; write key=value with one of: " + list(allowed)
    case .badValue(let value, let key, let player, let allowed):
      "player '\(player)': \(key) cannot be '\(value)'" + hint(value, allowed) + "; allowed: "
        + list(allowed)
    case .conflict(let problem, let player): "player '\(player)': \(problem)"
    }
  }

  private func hint(_ text: String, _ names: [String]) -> String {
    nearestName(to: text, in: names).map { " (did you mean '\($0)'?)" } ?? ""
  }

  private func list(_ names: [String]) -> String { names.joined(separator: ", ") }
}
