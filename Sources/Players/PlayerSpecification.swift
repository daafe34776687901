import Evaluators
import Search

/// A player as a PLAYER text names it, such as `expectimax:evaluator=rowScore,depth=3`.
///
/// A text is a player's name, optionally followed by a colon and options `key=value`, separated by
/// commas.
public enum PlayerSpecification: Hashable, Sendable {
  case random
  case greedy
  case rules
  case monteCarlo(MonteCarloSettings)
  case expectimax(evaluator: EvaluatorName, search: SearchSettings)
  /// An expectimax with the evaluator rowScore.
  case heuristic(search: SearchSettings)
  /// An expectimax with a network: that of a MODEL text, or the caller's default if `model` is nil.
  case learned(model: String?, search: SearchSettings)

  /// Reads a PLAYER text.
  ///
  /// - Throws: ``PlayerSpecificationError``.
  public init(_ text: String) throws(PlayerSpecificationError) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    guard let kind = PlayerKind(rawValue: name) else { throw .unknownPlayer(name) }
    let keys = kind.options.map(\.key)
    var values: [String: String] = [:]
    let optionText = parts.count > 1 ? parts[1] : ""
    for option in optionText.split(separator: ",", omittingEmptySubsequences: optionText.isEmpty) {
      let parts = option.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let key = String(parts[0])
      if parts.count == 2 || keys.isEmpty, !keys.contains(key) {
        throw .unknownKey(key, player: name, allowed: keys)
      }
      guard parts.count == 2 else {
        throw .notAnOption(String(option), player: name, allowed: keys)
      }
      guard values.updateValue(String(parts[1]), forKey: key) == nil else {
        throw .repeatedKey(key, player: name)
      }
    }
    try self.init(kind, options: values)
  }

  /// Creates the player of a kind with options by their keys.
  ///
  /// - Precondition: The kind has all of these options.
  /// - Throws: ``PlayerSpecificationError``.
  package init(
    _ kind: PlayerKind, options values: [String: String]
  ) throws(PlayerSpecificationError) {
    self = kind.standard
    for option in kind.options {
      guard let text = values[option.key] else { continue }
      guard option.read(text, &self) else {
        throw .badValue(text, key: option.key, player: kind.name, allowed: option.allowed)
      }
    }
    for option in kind.options where values[option.key] == nil { option.setDefault(&self) }
    if let conflict = PlayerConflict.first(in: self, given: values) {
      throw .conflict(conflict, player: kind.name)
    }
  }

  package var kind: PlayerKind {
    switch self {
    case .random: .random
    case .greedy: .greedy
    case .rules: .rules
    case .monteCarlo: .monteCarlo
    case .expectimax: .expectimax
    case .heuristic: .heuristic
    case .learned: .learned
    }
  }

  /// The options that a canonical text lists, as `key=value`.
  package var optionTexts: [String] {
    kind.options.compactMap { option in option.text(self).map { "\(option.key)=\($0)" } }
  }
}

extension PlayerSpecification: CustomStringConvertible {
  /// The canonical text, which reads as this value.
  public var description: String {
    let options = optionTexts
    return options.isEmpty ? kind.name : kind.name + ":" + options.joined(separator: ",")
  }
}

extension PlayerSpecification {
  /// The search settings; nil for a player that does not search.
  public internal(set) var search: SearchSettings? {
    get {
      switch self {
      case .expectimax(_, let search), .heuristic(let search), .learned(_, let search): search
      case .random, .greedy, .rules, .monteCarlo: nil
      }
    }
    set {
      guard let newValue else { return }
      switch self {
      case .expectimax(let evaluator, _):
        self = .expectimax(evaluator: evaluator, search: newValue)
      case .heuristic: self = .heuristic(search: newValue)
      case .learned(let model, _): self = .learned(model: model, search: newValue)
      case .random, .greedy, .rules, .monteCarlo: break
      }
    }
  }

  /// The settings of a Monte Carlo player; nil for other players.
  public internal(set) var monteCarlo: MonteCarloSettings? {
    get { if case .monteCarlo(let settings) = self { settings } else { nil } }
    set { if let newValue { self = .monteCarlo(newValue) } }
  }

  /// The evaluator of the player `expectimax`; nil for other players.
  var evaluator: EvaluatorName? {
    get { if case .expectimax(let evaluator, _) = self { evaluator } else { nil } }
    set {
      if let newValue, let search { self = .expectimax(evaluator: newValue, search: search) }
    }
  }

  /// The MODEL text of the player `learned`; nil for its default, and for other players.
  var model: String? {
    get { if case .learned(let model, _) = self { model } else { nil } }
    set {
      if case .learned(_, let search) = self { self = .learned(model: newValue, search: search) }
    }
  }

  /// The number of threads that compute one move.
  public var threads: Int { monteCarlo?.threads ?? search?.threads ?? 1 }

  /// The time budget per move in milliseconds of CPU time, if there is one.
  public var milliseconds: Double? { search?.milliseconds }

  /// The MODEL texts of the networks that the player needs; nil for the caller's default.
  public var models: [String?] {
    switch self {
    case .learned(let model, _): [model]
    case .monteCarlo(let settings): settings.leafModel.map { [$0] } ?? []
    case .random, .greedy, .rules, .expectimax, .heuristic: []
    }
  }
}
