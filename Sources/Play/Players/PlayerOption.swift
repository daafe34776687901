import Basics
import Search

/// An option of PLAYER texts: its key, the values that it accepts, and the setting that it changes.
///
/// Reading, messages, canonical texts, the limits of the web page and the reference follow from ``all``. The
/// command-line options of searches take their names and texts from it, but `SearchOptions` lists them.
package struct PlayerOption: Sendable {
  /// The key in a PLAYER text, such as `depth`.
  package let key: String
  /// The players that take the option.
  package let kinds: [PlayerKind]
  /// The name of the value in help texts, such as `ms`.
  package let valueName: String
  /// What the option does, as a sentence without its full stop.
  package let meaning: String
  /// The values that are accepted, in words.
  package let allowed: [String]
  /// The default, in words; empty if an option that is not given has no effect.
  package let defaultText: String

  /// Stores a value; returns false if it is not one of those allowed.
  let read: @Sendable (_ text: String, inout PlayerSpecification) -> Bool
  /// Stores the default, if it depends on other options.
  let setDefault: @Sendable (inout PlayerSpecification) -> Void
  /// Returns the value as a canonical text lists it; nil if the text leaves it out.
  let text: @Sendable (PlayerSpecification) -> String?

  /// The name of the command-line option that does the same for the players of models.
  package var flag: String { key == "threads" ? "search-threads" : key }

  /// An option that has a value in every player.
  ///
  /// - Parameters:
  ///   - standard: Returns the value of a player to which the option is not given; nil if canonical
  ///     texts always list the option.
  static func value<Value: Equatable & Sendable>(
    _ key: String, of kinds: [PlayerKind],
    _ field: WritableKeyPath<PlayerSpecification, Value> & Sendable,
    _ valueName: String, _ meaning: String, allowed: [String],
    defaultText: String, standard: @escaping @Sendable (PlayerSpecification) -> Value?,
    parse: @escaping @Sendable (String) -> Value?,
    format: @escaping @Sendable (Value) -> String
  ) -> PlayerOption {
    PlayerOption(
      key: key, kinds: kinds, valueName: valueName, meaning: meaning, allowed: allowed,
      defaultText: defaultText,
      read: { text, player in
        guard let value = parse(text) else { return false }
        player[keyPath: field] = value
        return true
      },
      setDefault: { player in
        if let value = standard(player) { player[keyPath: field] = value }
      },
      text: { player in
        let value = player[keyPath: field]
        return value == standard(player) ? nil : format(value)
      })
  }

  /// An option that has no value unless it is given.
  static func optional<Value: Equatable & Sendable>(
    _ key: String, of kinds: [PlayerKind],
    _ field: WritableKeyPath<PlayerSpecification, Value?> & Sendable,
    _ valueName: String, _ meaning: String, allowed: [String],
    defaultText: String = "", parse: @escaping @Sendable (String) -> Value?,
    format: @escaping @Sendable (Value) -> String
  ) -> PlayerOption {
    value(
      key, of: kinds, field, valueName, meaning, allowed: allowed,
      defaultText: defaultText, standard: { _ in .some(nil) },
      parse: { parse($0).map(Optional.some) }, format: { $0.map(format) ?? "" })
  }

  /// An option for a whole number, with a constant default.
  static func integer(
    _ key: String, of kinds: [PlayerKind],
    _ field: WritableKeyPath<PlayerSpecification, Int> & Sendable,
    _ valueName: String, _ meaning: String, in range: ClosedRange<Int>, default standard: Int
  ) -> PlayerOption {
    value(
      key, of: kinds, field, valueName, meaning, allowed: [words(range)],
      defaultText: "\(standard)", standard: { _ in standard },
      parse: { Count.read($0, in: range) }, format: { "\($0)" })
  }

  static func words(_ range: ClosedRange<Int>) -> String {
    "\(range.lowerBound) to \(range.upperBound)"
  }
}

/// A kind of player: the name at the start of a PLAYER text.
package enum PlayerKind: String, CaseIterable, Codable, Sendable {
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
