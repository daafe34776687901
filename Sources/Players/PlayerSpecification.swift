import Evaluators
import Search

/// Which player is meant: the value of a `PLAYER` text such as `expectimax:evaluator=rowScore,depth=3`.
///
/// A text is a player's name, optionally a colon and options `key=value` separated by commas.
public enum PlayerSpecification: Hashable, Sendable {
  case random
  case greedy
  case rules
  case monteCarlo(MonteCarloSettings)
  case expectimax(evaluator: EvaluatorName, search: SearchSettings)
  /// rowScore, at 3 plies unless it is told otherwise.
  case heuristic(search: SearchSettings)
  /// A network; which one `model` nil means is for the caller to say.
  case learned(model: String?, search: SearchSettings)

  /// The names that a text can start with.
  public static let playerNames = [
    "random", "greedy", "rules", "montecarlo", "expectimax", "heuristic", "learned",
  ]

  /// The depth of searches with hand-tuned evaluators, in plies, where none is given.
  public static let defaultDepth = 3

  /// How the player searches; nil for one that does not.
  public var search: SearchSettings? {
    switch self {
    case .expectimax(_, let search), .heuristic(let search), .learned(_, let search): search
    case .random, .greedy, .rules, .monteCarlo: nil
    }
  }

  /// The threads on which the player computes.
  public var threads: Int {
    if case .monteCarlo(let settings) = self { settings.threads } else { search?.threads ?? 1 }
  }

  /// The milliseconds for which the player searches, if it does so for a time.
  public var milliseconds: Double? { search?.milliseconds }

  /// Reads a `PLAYER` text.
  ///
  /// - Throws: ``PlayerSpecificationError``.
  public init(_ text: String) throws(PlayerSpecificationError) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    let optionText = parts.count > 1 ? parts[1] : ""
    func options(_ allowed: String...) throws(PlayerSpecificationError) -> PlayerOptions {
      try PlayerOptions(optionText, player: name, allowed: allowed)
    }
    func searchOptions(_ others: String...) throws(PlayerSpecificationError) -> PlayerOptions {
      try PlayerOptions(optionText, player: name, allowed: others + SearchSettings.keys)
    }
    switch name {
    case "random":
      _ = try options()
      self = .random
    case "greedy":
      _ = try options()
      self = .greedy
    case "rules":
      _ = try options()
      self = .rules
    case "montecarlo":
      self = .monteCarlo(
        try MonteCarloSettings(
          PlayerOptions(optionText, player: name, allowed: MonteCarloSettings.keys)))
    case "expectimax":
      let options = try searchOptions("evaluator")
      self = .expectimax(
        evaluator: try options.evaluator(default: .rowScore),
        search: try SearchSettings(options, defaultDepth: PlayerSpecification.defaultDepth))
    case "heuristic":
      self = .heuristic(
        search: try SearchSettings(
          searchOptions(), defaultDepth: PlayerSpecification.defaultDepth))
    case "learned":
      let options = try searchOptions("model")
      self = .learned(
        model: try options.text("model"), search: try SearchSettings(options, defaultDepth: 1))
    default:
      throw .unknownPlayer(name)
    }
  }
}

extension PlayerSpecification: CustomStringConvertible {
  /// The text that reads as this value, defaults and all.
  public var description: String {
    switch self {
    case .random: "random"
    case .greedy: "greedy"
    case .rules: "rules"
    case .monteCarlo(let settings): "\(settings)"
    case .expectimax(let evaluator, let search):
      "expectimax:evaluator=\(evaluator.rawValue),\(search)"
    case .heuristic(let search): "heuristic:\(search)"
    case .learned(nil, let search): "learned:\(search)"
    case .learned(let model?, let search): "learned:model=\(model),\(search)"
    }
  }
}

/// The options of a `PLAYER` text, known to be ones that the player has.
struct PlayerOptions {
  let player: String
  private(set) var values: [String: String] = [:]

  init(_ text: Substring, player: String, allowed: [String]) throws(PlayerSpecificationError) {
    self.player = player
    if text.isEmpty { return }
    for option in text.split(separator: ",", omittingEmptySubsequences: false) {
      let parts = option.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let key = String(parts[0])
      if parts.count == 2 || allowed.isEmpty, !allowed.contains(key) {
        throw .unknownKey(key, player: player, allowed: allowed)
      }
      guard parts.count == 2 else {
        throw .notAnOption(String(option), player: player, allowed: allowed)
      }
      guard values[key] == nil else { throw .repeatedKey(key, player: player) }
      values[key] = String(parts[1])
    }
  }

  /// Options that are known to be ones that the player has.
  init(_ values: [String: String], player: String) {
    self.player = player
    self.values = values
  }
}
