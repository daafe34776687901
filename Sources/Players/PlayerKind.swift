import Search

/// A kind of player: the name at the start of a PLAYER text.
package enum PlayerKind: String, CaseIterable, Sendable {
  case random, greedy, rules
  case monteCarlo = "montecarlo"
  case expectimax, heuristic, learned

  /// The kinds that search with expectimax.
  static let searching: [PlayerKind] = [.expectimax, .heuristic, .learned]

  package var name: String { rawValue }

  /// What the player plays, for the reference.
  package var summary: String {
    switch self {
    case .random: "a random legal move"
    case .greedy: "the move with the highest reward"
    case .rules: "the first applicable rule of a short list"
    case .monteCarlo: "the move whose simulated games score best"
    case .expectimax: "the best move of a search with a hand-tuned evaluator"
    case .heuristic: "the best move of a search with rowScore, the evaluator of nneonneo's 2048-ai"
    case .learned: "the best move of a search with a network"
    }
  }

  /// The options, in the order of the reference and of canonical texts.
  package var options: [PlayerOption] { PlayerOption.all.filter { $0.kinds.contains(self) } }

  /// The player of a text without options.
  var standard: PlayerSpecification {
    switch self {
    case .random, .greedy, .rules: PlayerSpecification(kind: self)
    case .monteCarlo: PlayerSpecification(kind: self, monteCarlo: MonteCarloSettings())
    case .expectimax, .heuristic:
      PlayerSpecification(
        kind: self, search: SearchSettings(depth: .plies(3)), evaluator: .rowScore)
    case .learned: .learned(model: nil, search: SearchSettings(depth: .plies(1)))
    }
  }
}
