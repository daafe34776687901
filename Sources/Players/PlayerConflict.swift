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
