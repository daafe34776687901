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
  /// The files of all networks that were read, by their MODEL texts.
  private var paths: [String: String] = [:]
  /// The checksums of their weights, or of those files that were asked for.
  private var checksums: [String: String] = [:]
  /// The endgame tables of all players so far.
  package private(set) var tables = OpenedTables()
  private let onReading: (String?) -> Void

  /// Creates a loader that has read nothing.
  ///
  /// - Parameter onReading: Called with the path of a model before it is read, and with nil afterwards.
  public init(onReading: @escaping (_ path: String?) -> Void = { _ in }) {
    self.onReading = onReading
  }

  /// Reads the networks of these players, so that ``rules`` are known.
  ///
  /// - Throws: `LocatedError` if a model cannot be read, or was trained for other rules.
  public mutating func loadModels(of specifications: [PlayerSpecification]) throws {
    for model in specifications.flatMap(\.models) { _ = try network(model) }
  }

  /// Returns the checksum of the weights of a player's network, or of its file if that has none; nil without a network,
  /// or if it was not read.
  ///
  /// - Throws: `LocatedError` if the file cannot be read again.
  package mutating func weights(of specification: PlayerSpecification) throws -> String? {
    guard let name = PlayerLoader.names(of: [specification]).first else { return nil }
    if checksums[name] == nil, let path = paths[name] {
      checksums[name] = try Checksum.ofFile(path)
    }
    return checksums[name]
  }

  /// Forgets all networks except those of these players; the rules stay.
  package mutating func keepModels(of specifications: [PlayerSpecification]) {
    let kept = Set(PlayerLoader.names(of: specifications))
    networks = networks.filter { kept.contains($0.key) }
  }

  /// Returns the MODEL texts of the networks of these players, that of ``ModelLocator/defaultModel`` for nil.
  private static func names(of specifications: [PlayerSpecification]) -> [String] {
    specifications.flatMap(\.models).compactMap { $0 ?? ModelLocator.defaultModel }
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
    onReading(path)
    defer { onReading(nil) }
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
    paths[name] = path
    // A file without a checksum is summed up only if somebody asks, because it may be large.
    if try ModelFormat.detect(path) != .tdl2048 {
      checksums[name] = try WeightFile.readHeader(path).checksum
    }
    return model.network
  }
}
