import Console
import Game2048
import ModelFiles
import NTupleNetwork
import Search

/// Makes players from PLAYER and MODEL arguments, each network read once.
struct PlayerLoader {
  private(set) var rules: Rules?
  private var networks: [String: NTupleNetwork] = [:]

  /// Reads the networks of all players that have one, so that the rules are known: those that the first
  /// of them was trained for.
  ///
  /// - Throws: `Failure` or `ModelFileError` if a model cannot be had.
  mutating func loadModels(of specifications: [PlayerSpecification]) throws {
    for model in specifications.flatMap(\.models) { _ = try network(model) }
  }

  /// Forgets all networks but those of these players; the rules stay.
  mutating func keepModels(of specifications: [PlayerSpecification]) {
    let kept = Set(specifications.flatMap(\.models))
    networks = networks.filter { kept.contains($0.key) }
  }

  /// A maker of players for `specification`.
  ///
  /// - Parameter sideBySide: how many of them play at a time, each with a table of its own.
  /// - Throws: `Failure` or `ModelFileError` if a model cannot be had.
  mutating func factory(
    for specification: PlayerSpecification, sideBySide: Int = 1
  ) throws -> @Sendable (_ seed: UInt64) -> any Player {
    try loadModels(of: [specification])
    try specification.requireMemory(sideBySide: sideBySide)
    return try specification.makeFactory(rules: rules ?? .standard) { model in
      try network(model)
    }
  }

  /// The network of a MODEL text; of the default model where none is named.
  mutating func network(_ model: String?) throws -> NTupleNetwork {
    let name = try model ?? DefaultModel.required()
    if let known = networks[name] { return known }
    let model = try Model.read(ModelLocator.find(name))
    let rules = model.rules
    if let others = self.rules, others.size != rules.size {
      throw Failure(
        .usage,
        "\(name) plays on \(rules.size)x\(rules.size), and another on "
          + "\(others.size)x\(others.size): they cannot be compared")
    }
    if let others = self.rules, others.fourProbability != rules.fourProbability {
      throw Failure(
        .usage,
        "\(name) was trained with 4s of probability \(rules.fourProbability), and another with "
          + "\(others.fourProbability): they cannot be compared")
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
  /// - Throws: `ModelFileError`.
  func requireMemory(sideBySide: Int) throws {
    guard let search else { return }
    try Memory.require(
      sideBySide * search.tableSize,
      for: sideBySide == 1 ? "the transposition table" : "\(sideBySide) transposition tables",
      path: "\(self)",
      remedy: sideBySide == 1
        ? "choose a smaller table" : "choose a smaller table, or fewer --threads")
  }
}
