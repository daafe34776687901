import Basics
import Game2048
import ModelFiles
import NTupleNetwork
import Search

/// Makes players from PLAYER and MODEL texts, and reads every network and endgame table once.
public struct PlayerLoader {
  /// The rules that the first network was trained for; nil before any network is read.
  public private(set) var rules: Rules?
  private var networks: [String: NTupleNetwork] = [:]
  /// The checksums of the weights, or files, of all networks that were read, by their MODEL texts.
  private var checksums: [String: String] = [:]
  /// The endgame tables of all players so far.
  package private(set) var tables = OpenedTables()

  public init() {}

  /// Reads the networks of these players, so that ``rules`` are known.
  ///
  /// - Throws: `LocatedError` if a model cannot be read, or was trained for other rules.
  public mutating func loadModels(of specifications: [PlayerSpecification]) throws {
    for model in specifications.flatMap(\.models) { _ = try network(model) }
  }

  /// Returns the checksum of the weights of a player's network, or of its file if that has none; nil without a network,
  /// or if it was not read.
  package func weights(of specification: PlayerSpecification) -> String? {
    guard let model = specification.models.first, let name = model ?? ModelLocator.defaultModel
    else { return nil }
    return checksums[name]
  }

  /// Forgets all networks except those of these players; the rules stay.
  package mutating func keepModels(of specifications: [PlayerSpecification]) {
    let kept = Set(specifications.flatMap(\.models))
    networks = networks.filter { kept.contains($0.key) }
  }

  /// Returns a maker of players by seed.
  ///
  /// - Parameter count: The number of such players that play in parallel, each with a separate
  ///   table.
  /// - Throws: `LocatedError` if a model or endgame tables cannot be read or are for other rules, or if the
  ///   transposition tables do not fit into memory.
  public mutating func factory(
    for specification: PlayerSpecification, inParallel count: Int = 1
  ) throws -> @Sendable (_ seed: UInt64) -> any Player {
    try loadModels(of: [specification])
    try specification.requireMemory(inParallel: count)
    try tables.open(for: specification)
    return try specification.makeFactory(rules: rules ?? .standard, tables: tables) { model in
      try network(model)
    }
  }

  /// Returns the network of a MODEL text; for nil, that of ``ModelLocator/defaultModel``.
  ///
  /// - Throws: `LocatedError` if the model cannot be read, or was trained for other rules.
  public mutating func network(_ model: String?) throws -> NTupleNetwork {
    let name = try model ?? ModelLocator.requireDefaultModel()
    if let known = networks[name] { return known }
    let path = try ModelLocator.find(name)
    let model = try LoadedModel.read(path)
    let rules = model.rules
    let others = self.rules ?? rules
    let difference =
      others.size != rules.size
      ? "plays on \(rules.size)x\(rules.size), but another player on \(others.size)x\(others.size)"
      : others.fourProbability != rules.fourProbability
        ? "was trained with a probability of \(rules.fourProbability) for 4s, but another player with "
          + "\(others.fourProbability)" : nil
    if let difference {
      throw LocatedError(
        .usage, path: name, difference, remedy: "compare players of the same game")
    }
    self.rules = others
    networks[name] = model.network
    checksums[name] =
      try ModelFormat.detect(path) == .tdl2048
      ? Checksum.ofFile(path) : WeightFile.readHeader(path).checksum
    return model.network
  }
}
