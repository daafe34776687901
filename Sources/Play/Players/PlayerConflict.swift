import Basics

/// Options of PLAYER texts that exclude each other, or one that requires another.
///
/// A choice `KEY=VALUE` is made if the option has this value, and a choice `KEY` if the option is given with a value that
/// is not its default.
package struct PlayerConflict: Sendable {
  let choice: String
  var excluded: [String] = []
  var required: String?
  let reason: String

  static let ofSearches = [
    PlayerConflict(
      choice: "depth=1",
      excluded: ["time", "average", "nodes", "probability", "limits", "table", "threads"],
      reason: "1 ply follows no spawn; choose another depth"),
    PlayerConflict(
      choice: "depth=auto", excluded: ["time", "average", "nodes"],
      reason: "a budget decides the depth itself; leave out one of them"),
    PlayerConflict(
      choice: "depth=auto", excluded: ["probability=0"],
      reason: "such a search would not end; choose a higher probability"),
    PlayerConflict(
      choice: "average", excluded: ["time", "nodes"],
      reason: "both are budgets; leave out one of them"),
    PlayerConflict(
      choice: "nodes", excluded: ["threads"],
      reason: "nodes are counted in one thread; use time"),
    PlayerConflict(
      choice: "handover", required: "endgame",
      reason: "name the directory of the tables that take over"),
  ]

  static let ofMonteCarlo = [
    PlayerConflict(
      choice: "evaluator", excluded: ["model"],
      reason: "leave out one of them"),
    PlayerConflict(
      choice: "depth=end", excluded: ["evaluator", "model"],
      reason: "whole games need no evaluator; choose a depth in plies"),
    PlayerConflict(
      choice: "tries", excluded: ["policy=merging", "policy=smooth"],
      reason: "tries requires policy=random"),
  ]

  /// Returns the message of the first conflict; nil if there is none.
  ///
  /// - Parameter given: The values of the options that were given, by key.
  static func first(in player: PlayerSpecification, given: [String: String]) -> String? {
    let texts = player.optionTexts
    func isMade(_ choice: String) -> Bool {
      if choice.contains("=") {
        // A canonical text leaves out `depth=end`.
        return texts.contains(choice) || given.contains { "\($0)=\($1)" == choice }
      }
      return given[choice] != nil && texts.contains { $0.hasPrefix(choice + "=") }
    }
    for conflict in player.monteCarlo == nil ? ofSearches : ofMonteCarlo
    where isMade(conflict.choice) {
      if let other = conflict.excluded.first(where: isMade) {
        return "\(conflict.choice) and \(other) exclude each other: \(conflict.reason)"
      }
      if let required = conflict.required, !isMade(required) {
        return "\(conflict.choice) requires \(required): \(conflict.reason)"
      }
    }
    return nil
  }
}

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
