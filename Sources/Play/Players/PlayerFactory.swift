import Basics
import EndgameTables
import Game2048
import ModelFiles
import NTupleNetwork
import Search
import Synchronization

/// Makes players, and owns what they share: the rules, the networks and the endgame tables.
///
/// Every file is opened once, and memory is checked before it is used, whoever needs the player: a command, the web
/// page, an evaluation, a benchmark or a rank of a job.
/// ```swift
/// let players = PlayerFactory()
/// var player = try players.player(PlayerSpecification("learned:depth=2"), seed: 1)
/// ```
///
/// Thread safety: any thread may call. Files are read by one thread at a time.
public final class PlayerFactory: Sendable {
  /// Makes players by the seeds of their random sources.
  ///
  /// Each has a search with separate memory, so they may play in parallel.
  public typealias Maker = @Sendable (_ seed: UInt64) -> any Player

  private struct Model {
    let network: any PlayableNetwork
    /// The checksum of its values; nil if the file states none.
    var checksum: String?
    /// The file if it states no checksum: it is summed up only if somebody asks, because it may be large.
    var file: ModelFile?
  }

  private struct TableDirectory: Hashable {
    let path: String
    let target: TableShape.Target
  }

  private struct State {
    var rules: Rules?
    /// The models by their MODEL texts.
    var models: [String: Model] = [:]
    var tables: [TableDirectory: [EndgameTable]] = [:]
    /// The counters of endgame players by their texts.
    var counters: [String: TableCounter] = [:]
  }

  private let state: Mutex<State>
  private let defaultModel: String?
  private let onReading: @Sendable (_ path: String?) -> Void

  /// Creates a factory that has read nothing.
  ///
  /// - Parameters:
  ///   - defaultModel: The MODEL of players that name none; nil for ``ModelLocator/defaultModel``.
  ///   - rules: The rules of the game; nil for those that the first network was trained for.
  ///   - onReading: Called with the path of a model before it is read, and with nil afterwards.
  public init(
    defaultModel: String? = nil, rules: Rules? = nil,
    onReading: @escaping @Sendable (_ path: String?) -> Void = { _ in }
  ) {
    state = Mutex(State(rules: rules))
    self.defaultModel = defaultModel
    self.onReading = onReading
  }

  /// Creates a factory of players with a network in memory.
  public convenience init(network: any PlayableNetwork, rules: Rules = .standard) {
    self.init(defaultModel: PlayerFactory.networkName, rules: rules)
    add(network, as: PlayerFactory.networkName)
  }

  /// The MODEL text of a network in memory.
  package static let networkName = "network"

  // MARK: Models

  /// The rules of the game; nil if no network was read and none were given.
  public var rules: Rules? { state.withLock(\.rules) }

  /// Returns the network of a MODEL text, or the default one for nil.
  ///
  /// - Throws: `LocatedError` if the model cannot be read, or was trained for other rules.
  public func network(_ model: String?) throws -> any PlayableNetwork {
    let name = try self.model(model)
    return try state.withLock { state in
      if let known = state.models[name] { return known.network }
      defer { onReading(nil) }
      let (file, loaded) = try ModelLocator.reading(name) { path in
        onReading(path)
        let file = try ModelFile(path)
        return (file, try file.loadForPlay())
      }
      try PlayerFactory.require(loaded.rules, state.rules, of: name)
      state.rules = loaded.rules
      let checksum = file.statedChecksum == nil ? nil : try file.checksum()
      state.models[name] = Model(
        network: loaded.network, checksum: checksum, file: checksum == nil ? file : nil)
      return loaded.network
    }
  }

  /// Takes a network in memory for a MODEL text. Its rules are those of the factory.
  package func add(_ network: any PlayableNetwork, as model: String) {
    state.withLock { $0.models[model] = Model(network: network) }
  }

  /// Reads the networks of players, so that ``rules`` are known.
  ///
  /// - Throws: `LocatedError` if a model cannot be read, or was trained for other rules.
  public func loadModels(of players: [PlayerSpecification]) throws {
    for model in players.flatMap(\.models) { _ = try network(model) }
  }

  /// Forgets all networks except those of these players; the rules stay.
  package func keepModels(of players: [PlayerSpecification]) throws {
    let kept = Set(try players.flatMap(\.models).map(model))
    state.withLock { state in state.models = state.models.filter { kept.contains($0.key) } }
  }

  /// Returns the same player with the MODEL text that stands for its network, also if that is the default one.
  package func resolved(_ player: PlayerSpecification) throws -> PlayerSpecification {
    guard let name = player.models.first else { return player }
    return player.with(model: try model(name))
  }

  private func model(_ name: String?) throws -> String {
    try name ?? defaultModel ?? ModelLocator.requireDefaultModel()
  }

  private static func require(_ rules: Rules, _ others: Rules?, of model: String) throws {
    guard let others, rules != others else { return }
    throw LocatedError(
      .usage, path: model,
      others.size != rules.size
        ? "plays on \(rules.size)x\(rules.size), but another player on \(others.size)x\(others.size)"
        : "was trained with a probability of \(rules.fourProbability) for 4s, but another player with "
          + "\(others.fourProbability)",
      remedy: "compare players of the same game")
  }

  // MARK: Players

  /// Makes one player.
  ///
  /// - Parameters:
  ///   - player: What its PLAYER text says.
  ///   - seed: The seed of its random source.
  /// - Throws: The errors of ``maker(of:inParallel:)``.
  public func player(_ player: PlayerSpecification, seed: UInt64) throws -> any Player {
    try maker(of: player)(seed)
  }

  /// Reads what a player needs, and returns a maker of such players.
  ///
  /// - Parameters:
  ///   - player: What its PLAYER text says.
  ///   - count: The number of them that play in parallel.
  /// - Throws: `LocatedError` if a model or endgame tables cannot be read or are for other rules, or if
  ///   something does not fit into memory.
  public func maker(of player: PlayerSpecification, inParallel count: Int = 1) throws -> Maker {
    try loadModels(of: [player])
    try PlayerFactory.requireMemory(for: player, inParallel: count)
    let make = try savingMaker(of: player)
    return { make($0, nil) }
  }

  /// Returns the contestant of an arena, with the checksum of its weights.
  ///
  /// - Parameters:
  ///   - name: Its name in results; nil for the text of the player.
  ///   - count: The number of games in parallel.
  /// - Throws: The errors of ``maker(of:inParallel:)``.
  package func contestant(
    _ player: PlayerSpecification, name: String? = nil, inParallel count: Int
  ) throws -> Contestant {
    let makePlayer = try maker(of: player, inParallel: count)
    let model = try player.models.first.map(model)
    let weights = try state.withLock { state in
      try model.flatMap { state.models[$0] }.flatMap { try $0.checksum ?? $0.file?.checksum() }
    }
    return Contestant(name: name ?? player.description, weights: weights, makePlayer: makePlayer)
  }

  /// A maker of players by seed, which save time in a bank, or in separate ones.
  fileprivate typealias SavingMaker = @Sendable (_ seed: UInt64, _ bank: TimeBank?) -> any Player

  private func savingMaker(of player: PlayerSpecification) throws -> SavingMaker {
    let rules = rules ?? .standard
    switch player.kind {
    case .random: return { seed, _ in RandomPlayer(rules: rules, seed: seed) }
    case .greedy: return { _, _ in GreedyPlayer(rules: rules) }
    case .rules: return { _, _ in RulePlayer(rules: rules) }
    case .monteCarlo, .expectimax, .heuristic, .learned:
      if let chains = try tables(in: player.endgame, .chain, for: rules) {
        return try handingOver(player, to: ChainTables(chains), rules: rules)
      }
      let maker = SearchMaker(
        name: player.description, player: player, rules: rules,
        tables: try tables(in: player.tables, .tile, for: rules).map { EndgameTables($0) })
      if let evaluator = player.evaluator { return evaluator.visit(maker) }
      guard let model = player.models.first else { return maker.visit(PointsAlone()) }
      // A call for each type of network, so that the code of the players is specialised for it.
      switch try network(model) {
      case let network as FrozenNetwork: return maker.player(of: network)
      case let network: return maker.player(of: network.thawed())
      }
    }
  }

  /// Returns a maker of players that hand over to the endgame player late in the game.
  private func handingOver(
    _ player: PlayerSpecification, to chains: ChainTables, rules: Rules
  ) throws -> SavingMaker {
    let name = player.description
    let handoverExponent = player.handoverExponent
    var early = player
    early.endgame = nil
    early.handoverExponent = PlayerSpecification.standardHandover
    let makeEarly = try savingMaker(of: early)
    var late = early
    late.tables = nil
    late.search!.downgradeExponent = EndgamePlayer.downgradeExponent
    late.search!.horizon = EndgamePlayer.horizon
    let makeLate = SearchMaker(name: name, player: late, rules: rules, tables: nil)
      .visit(CornerChain())
    let average = late.search!.averageMilliseconds
    let counter = TableCounter()
    state.withLock { $0.counters[name] = counter }
    return { seed, _ in
      let bank = average.map { TimeBank(milliseconds: $0) }
      return EndgamePlayer(
        name: name, before: makeEarly(seed, bank), handoverExponent: handoverExponent,
        tables: chains, search: makeLate(seed, bank), counter: counter, bank: bank, rules: rules)
    }
  }

  /// Returns the tables of a directory; nil without a directory.
  ///
  /// - Throws: `LocatedError` if they cannot be read, do not fit into memory, or were built for other rules.
  private func tables(
    in path: String?, _ target: TableShape.Target, for rules: Rules
  ) throws -> [EndgameTable]? {
    guard let path else { return nil }
    let directory = TableDirectory(path: path, target: target)
    let tables = try state.withLock { state in
      if let known = state.tables[directory] { return known }
      let tables = try EndgameTable.all(in: path, target: target)
      state.tables[directory] = tables
      return tables
    }
    guard rules.size == 4,
      tables.allSatisfy({ $0.shape.fourProbability == rules.fourProbability })
    else {
      throw LocatedError(
        .usage, path: path,
        "has tables for 4x4 boards and another probability of 4s than the player's "
          + "\(rules.fourProbability) on \(rules.size)x\(rules.size)",
        remedy: "leave them out")
    }
    return tables
  }

  /// The counters of the endgame players that were made, by their texts.
  package var tableCounters: [String: TableCounter] { state.withLock { $0.counters } }

  // MARK: Memory

  /// The searches of players of which `count` play in parallel: an endgame player has two.
  private static func searches(of player: PlayerSpecification, inParallel count: Int) -> Int {
    player.endgame == nil ? count : 2 * count
  }

  /// Checks that the transposition tables of a player fit into memory, before anything is read or trained for it.
  ///
  /// - Parameter count: The number of such players that play in parallel, each with a separate table.
  /// - Throws: `LocatedError` if they do not.
  package static func requireMemory(
    for player: PlayerSpecification, inParallel count: Int
  ) throws {
    guard let size = player.search?.tableSize, size > 0 else { return }
    let tables = searches(of: player, inParallel: count)
    try Memory.require(
      tables * size,
      for: tables == 1 ? "the transposition table" : "\(tables) transposition tables",
      path: "\(player)",
      remedy: tables == 1 ? "choose a smaller table" : "choose a smaller table, or fewer --threads")
  }

  /// Returns the bytes that players of which `count` play in parallel add to the memory of this process at most: their
  /// transposition tables, and the indices of endgame tables that are not open yet.
  ///
  /// - Throws: `LocatedError` if endgame tables cannot be read.
  package func byteCount(of players: [PlayerSpecification], inParallel count: Int) throws -> Int {
    let transposition = players.map {
      PlayerFactory.searches(of: $0, inParallel: count) * ($0.search?.tableSize ?? 0)
    }
    let directories = players.flatMap { player in
      [(player.tables, TableShape.Target.tile), (player.endgame, .chain)].compactMap {
        path, target in
        path.map { TableDirectory(path: $0, target: target) }
      }
    }
    let opened = state.withLock { Set($0.tables.keys) }
    return try Set(directories).subtracting(opened).reduce(transposition.max() ?? 0) {
      try $0 + EndgameTable.indexByteCount(in: $1.path, target: $1.target)
    }
  }
}

/// Makes players that search, over any evaluator.
private struct SearchMaker: EvaluatorVisitor {
  let name: String
  let player: PlayerSpecification
  let rules: Rules
  let tables: EndgameTables?

  /// Makes players with a network: greedy ones if nothing is to be searched.
  func player(of network: some PlayableNetwork) -> PlayerFactory.SavingMaker {
    guard player.isGreedyNetwork else { return visit(network) }
    let (name, rules) = (name, rules)
    return { _, _ in GreedyNetworkPlayer(name: name, network: network, rules: rules) }
  }

  func visit(_ evaluator: some Evaluator) -> PlayerFactory.SavingMaker {
    let (name, rules) = (name, rules)
    if let settings = player.monteCarlo {
      return { seed, _ in
        MonteCarloPlayer(
          name: name, evaluator: evaluator, settings: settings, rules: rules, seed: seed)
      }
    }
    guard let tables else { return expectimax(evaluator) }
    return expectimax(TableEvaluator(evaluator, tables: tables))
  }

  private func expectimax(_ evaluator: some Evaluator) -> PlayerFactory.SavingMaker {
    let (name, rules, settings) = (name, rules, player.search!)
    return { _, bank in
      ExpectimaxPlayer(
        name: name, search: Expectimax(evaluator, rules: rules, settings: settings, bank: bank))
    }
  }
}
