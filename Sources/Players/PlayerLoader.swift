import Basics
import Game2048
import NTupleNetwork
import Search

/// Makes players from PLAYER and MODEL arguments, each network read once.
package struct PlayerLoader {
  package private(set) var rules: Rules?
  private var networks: [String: NTupleNetwork] = [:]

  package init() {}

  /// Reads the networks of all players that have one, so that the rules are known: those that the first
  /// of them was trained for.
  ///
  /// - Throws: ```LocatedError``` if a model cannot be had.
  package mutating func loadModels(of specifications: [PlayerSpecification]) throws {
    for model in specifications.flatMap(\.models) { _ = try network(model) }
  }

  /// Forgets all networks but those of these players; the rules stay.
  package mutating func keepModels(of specifications: [PlayerSpecification]) {
    let kept = Set(specifications.flatMap(\.models))
    networks = networks.filter { kept.contains($0.key) }
  }

  /// A maker of players for `specification`.
  ///
  /// - Parameter sideBySide: how many of them play at a time, each with a table of its own.
  /// - Throws: ```LocatedError``` if a model cannot be had.
  package mutating func factory(
    for specification: PlayerSpecification, sideBySide: Int = 1
  ) throws -> @Sendable (_ seed: UInt64) -> any Player {
    try loadModels(of: [specification])
    try specification.requireMemory(sideBySide: sideBySide)
    return try specification.makeFactory(rules: rules ?? .standard) { model in
      try network(model)
    }
  }

  /// The network of a MODEL text; of the default model where none is named.
  package mutating func network(_ model: String?) throws -> NTupleNetwork {
    let name = try model ?? BundledModel.required()
    if let known = networks[name] { return known }
    let model = try LoadedModel.read(ModelLocator.find(name))
    let rules = model.rules
    if let others = self.rules, others.size != rules.size {
      throw LocatedError(
        .usage, path: name,
        "plays on \(rules.size)x\(rules.size), but another player on \(others.size)x\(others.size)",
        remedy: "compare players of the same game")
    }
    if let others = self.rules, others.fourProbability != rules.fourProbability {
      throw LocatedError(
        .usage, path: name,
        "was trained with 4s of probability \(rules.fourProbability), but another player with "
          + "\(others.fourProbability)",
        remedy: "compare players of the same game")
    }
    if self.rules == nil { self.rules = rules }
    networks[name] = model.network
    return model.network
  }
}

extension PlayerSpecification {
  /// Refuses tables that would not fit into memory.
  ///
  /// - Parameter sideBySide: how many such players play at a time, each with a table of its own.
  /// - Throws: ``LocatedError``.
  package func requireMemory(sideBySide: Int) throws {
    guard let search else { return }
    try Memory.require(
      sideBySide * search.tableSize,
      for: sideBySide == 1 ? "the transposition table" : "\(sideBySide) transposition tables",
      path: "\(self)",
      remedy: sideBySide == 1
        ? "choose a smaller table" : "choose a smaller table, or fewer --threads")
  }
}
