import NTupleNetwork
import Search

/// A player as a PLAYER text names it, such as `expectimax:evaluator=rowScore,depth=3`.
///
/// A text is a player's name, optionally followed by a colon and options `key=value`, separated by
/// commas.
public struct PlayerSpecification: Hashable, Codable, Sendable {
  package let kind: PlayerKind
  /// The search settings; nil for a player that does not search.
  public internal(set) var search: SearchSettings?
  /// The directory of the endgame tables that value leaves of the search; nil without any.
  package internal(set) var tables: String?
  /// The directory of the tables of chains with which another player takes over late in the game; nil if none does.
  package internal(set) var endgame: String?
  /// The exponent of the tile from which on it does.
  var handoverExponent = standardHandover
  /// The settings of a Monte Carlo player; nil for other players.
  public internal(set) var monteCarlo: MonteCarloSettings?
  /// The evaluator of a search, or of the boards at which simulated games end early; nil for a network
  /// and for whole games.
  var evaluator: EvaluatorName?
  /// The MODEL text of the network; nil without one, and for the caller's default.
  package internal(set) var model: String?

  /// A player that searches with a network: that of a MODEL text, or the caller's default.
  package static func learned(model: String?, search: SearchSettings) -> PlayerSpecification {
    PlayerSpecification(kind: .learned, search: search, model: model)
  }

  /// The depth in plies at which a network advises and plays with people, unless stated.
  package static let usualDepth = 3
  /// The PLAYER text of this network.
  package static let usualText = "learned:depth=\(usualDepth)"

  /// The exponent of the tile of the handover, unless stated: that of 8192.
  static let standardHandover = 13

  /// Returns the same player with the network of a MODEL text.
  package func with(model: String?) -> PlayerSpecification {
    var player = self
    player.model = model
    return player
  }

  /// Whether the player is a network at 1 ply, and nothing else.
  package var isGreedyNetwork: Bool {
    self == .learned(model: model, search: SearchSettings(depth: .plies(1)))
  }

  /// The number of threads that compute one move.
  public var threads: Int { monteCarlo?.threads ?? search?.threads ?? 1 }

  /// The time budget per move in milliseconds of CPU time, if there is one.
  public var milliseconds: Double? { search?.milliseconds }

  /// Whether the action values are expected points: those of networks and of whole simulated games,
  /// but not of chains.
  package var valuesArePoints: Bool {
    kind == .learned && endgame == nil || kind == .monteCarlo && evaluator == nil
  }

  /// Whether every legal move has a value, and all values have the same unit.
  ///
  /// Some players do not compare moves by value. Endgame players have probabilities where tables know the board, and
  /// values of boards elsewhere.
  package var hasComparableValues: Bool {
    kind != .random && kind != .rules && endgame == nil
  }

  /// The MODEL texts of the networks that the player needs; nil for the caller's default.
  public var models: [String?] { kind == .learned || model != nil ? [model] : [] }
}

extension PlayerSpecification: CustomStringConvertible {
  /// Reads a PLAYER text.
  ///
  /// - Throws: ``PlayerSpecificationError``.
  public init(_ text: String) throws(PlayerSpecificationError) {
    try self.init(text, adding: [])
  }

  /// Reads a PLAYER text, to which further options are given.
  ///
  /// - Throws: ``PlayerSpecificationError``.
  package init(
    _ text: String, adding further: [(key: String, value: String)]
  ) throws(PlayerSpecificationError) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    guard let kind = PlayerKind(rawValue: name) else { throw .unknownPlayer(name) }
    let keys = kind.options.map(\.key)
    var values: [String: String] = [:]
    let optionText = parts.count > 1 ? parts[1] : ""
    func add(_ key: String, _ value: String) throws(PlayerSpecificationError) {
      guard keys.contains(key) else {
        throw .unknownKey(key, player: name, allowed: keys)
      }
      guard values.updateValue(value, forKey: key) == nil else {
        throw .repeatedKey(key, player: name)
      }
    }
    for option in optionText.split(separator: ",", omittingEmptySubsequences: optionText.isEmpty) {
      let parts = option.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 || keys.isEmpty else {
        throw .notAnOption(String(option), player: name, allowed: keys)
      }
      try add(String(parts[0]), parts.count == 2 ? String(parts[1]) : "")
    }
    for (key, value) in further { try add(key, value) }
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
    // Simulated games that end early need an evaluator, and an evaluator needs an early end.
    if kind == .monteCarlo {
      if evaluator == nil, model == nil {
        evaluator = monteCarlo!.plies == nil ? nil : .rowScore
      } else if monteCarlo!.plies == nil {
        monteCarlo!.plies = PlayerOption.standardPlies
      }
    }
    if let conflict = PlayerConflict.first(in: self, given: values) {
      throw .conflict(conflict, player: kind.name)
    }
  }

  /// The options that a canonical text lists, as `key=value`.
  package var optionTexts: [String] {
    kind.options.compactMap { option in option.text(self).map { "\(option.key)=\($0)" } }
  }

  /// The canonical text, which reads as this value.
  public var description: String {
    let options = optionTexts
    return options.isEmpty ? kind.name : kind.name + ":" + options.joined(separator: ",")
  }
}
