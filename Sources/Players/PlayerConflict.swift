import Search

/// Options of PLAYER texts that exclude each other.
package struct PlayerConflict: Sendable {
  /// A choice that a player may make, such as `depth=1`.
  struct Choice: Sendable {
    let text: String
    let isMade: @Sendable (PlayerSpecification, _ given: [String: String]) -> Bool

    init(_ text: String, _ isMade: @escaping @Sendable (PlayerSpecification) -> Bool) {
      self.text = text
      self.isMade = { player, _ in isMade(player) }
    }

    /// The choice to give an option, with a certain value or any.
    init(given key: String, as value: String? = nil) {
      text = value.map { "\(key)=\($0)" } ?? key
      isMade = { _, given in given[key].map { value == nil || $0 == value } ?? false }
    }
  }

  let choice: Choice
  let excluded: [Choice]
  let reason: String

  private static let depthOne = Choice("depth=1") { $0.search?.depth == .plies(1) }
  private static let depthAuto = Choice("depth=auto") { $0.search?.depth == .auto }

  static let ofSearches = [
    PlayerConflict(
      choice: depthOne,
      excluded: ["time", "nodes", "probability", "limits", "table", "threads"].map {
        Choice(given: $0)
      },
      reason: "1 ply follows no spawn; choose another depth"),
    PlayerConflict(
      choice: depthAuto, excluded: [Choice(given: "time"), Choice(given: "nodes")],
      reason: "a budget decides the depth itself; leave out one of them"),
    PlayerConflict(
      choice: depthAuto, excluded: [Choice("probability=0") { $0.search?.probability == 0 }],
      reason: "such a search would not end; choose a higher probability"),
    PlayerConflict(
      choice: Choice(given: "nodes"), excluded: [Choice("threads") { $0.threads > 1 }],
      reason: "nodes are counted in one thread; use time"),
  ]

  static let ofMonteCarlo = [
    PlayerConflict(
      choice: Choice(given: "evaluator"), excluded: [Choice(given: "model")],
      reason: "leave out one of them"),
    PlayerConflict(
      choice: Choice(given: "depth", as: "end"),
      excluded: [Choice(given: "evaluator"), Choice(given: "model")],
      reason: "whole games need no evaluator; choose a depth in plies"),
    PlayerConflict(
      choice: Choice("tries") { ($0.monteCarlo?.illegalTries ?? 0) > 0 },
      excluded: [Choice(given: "policy", as: "merging"), Choice(given: "policy", as: "smooth")],
      reason: "tries requires policy=random"),
  ]

  /// Returns the message of the first conflict; nil if there is none.
  ///
  /// - Parameter given: The values of the options that were given, by key.
  static func first(in player: PlayerSpecification, given: [String: String]) -> String? {
    for conflict in player.monteCarlo == nil ? ofSearches : ofMonteCarlo
    where conflict.choice.isMade(player, given) {
      if let other = conflict.excluded.first(where: { $0.isMade(player, given) }) {
        return "\(conflict.choice.text) and \(other.text) exclude each other: \(conflict.reason)"
      }
    }
    return nil
  }
}
