import Basics
import EndgameTables
import Game2048
import NTupleNetwork
import Search

extension PlayerSpecification {
  /// Makes one player.
  ///
  /// - Parameters:
  ///   - seed: The seed of the player's random source.
  ///   - tables: The endgame tables that are open; others are opened.
  ///   - loadModel: Returns the network of a MODEL text, or the default network for nil.
  /// - Throws: The errors of `loadModel`, and `LocatedError` if tables cannot be read.
  public func makePlayer(
    rules: Rules = .standard, seed: UInt64, tables: OpenedTables = OpenedTables(),
    loadModel: (String?) throws -> NTupleNetwork
  ) throws -> any Player {
    try makeFactory(rules: rules, tables: tables, loadModel: loadModel)(seed)
  }

  /// Loads the networks of the player and returns a maker of players by seed.
  ///
  /// Every player that the maker returns has a separate search with separate memory, so players may
  /// play in parallel. They share the network and the endgame tables.
  ///
  /// - Throws: The errors of `loadModel`, and `LocatedError` if tables cannot be read.
  public func makeFactory(
    rules: Rules = .standard, tables: OpenedTables = OpenedTables(),
    loadModel: (String?) throws -> NTupleNetwork
  ) throws -> @Sendable (_ seed: UInt64) -> any Player {
    let make = try makeSavingFactory(rules: rules, tables: tables, loadModel: loadModel)
    return { make($0, nil) }
  }

  /// A maker of players by seed, which save time in a bank, or in separate ones.
  fileprivate typealias SavingFactory = @Sendable (_ seed: UInt64, _ bank: TimeBank?) -> any Player

  private func makeSavingFactory(
    rules: Rules, tables: OpenedTables, loadModel: (String?) throws -> NTupleNetwork
  ) throws -> SavingFactory {
    switch kind {
    case .random: return { seed, _ in RandomPlayer(rules: rules, seed: seed) }
    case .greedy: return { _, _ in GreedyPlayer(rules: rules) }
    case .rules: return { _, _ in RulePlayer(rules: rules) }
    case .monteCarlo, .expectimax, .heuristic, .learned:
      if let chains = try tables.tables(in: endgame, .chain, for: rules) {
        return try handingOver(
          to: ChainTables(chains), rules: rules, tables: tables, loadModel: loadModel)
      }
      let maker = PlayerMaker(
        name: description, specification: self, rules: rules,
        tables: try tables.tables(in: self.tables, .tile, for: rules).map { EndgameTables($0) })
      if let evaluator { return evaluator.visit(maker) }
      guard let model = models.first else { return maker.visit(PointsAlone()) }
      let network = try loadModel(model)
      if isGreedyNetwork {
        let name = maker.name
        return { _, _ in GreedyNetworkPlayer(name: name, network: network, rules: rules) }
      }
      return maker.visit(network)
    }
  }

  /// Returns a maker of players that hand over to the endgame player late in the game.
  private func handingOver(
    to chains: ChainTables, rules: Rules, tables: OpenedTables,
    loadModel: (String?) throws -> NTupleNetwork
  ) throws -> SavingFactory {
    let name = description
    var early = self
    early.endgame = nil
    early.handoverExponent = PlayerSpecification.standardHandover
    let makeEarly = try early.makeSavingFactory(rules: rules, tables: tables, loadModel: loadModel)
    var late = early
    late.tables = nil
    late.search!.downgradeExponent = EndgamePlayer.downgradeExponent
    late.search!.horizon = EndgamePlayer.horizon
    let makeLate = PlayerMaker(name: name, specification: late, rules: rules, tables: nil)
      .visit(CornerChain())
    let average = late.search!.averageMilliseconds
    return { [handoverExponent] seed, _ in
      let bank = average.map { TimeBank(milliseconds: $0) }
      return EndgamePlayer(
        name: name, before: makeEarly(seed, bank), handoverExponent: handoverExponent,
        tables: chains,
        search: makeLate(seed, bank), bank: bank, rules: rules)
    }
  }

  /// Checks that the transposition tables fit into memory.
  ///
  /// - Parameter count: The number of such players that play in parallel, each with a separate
  ///   table.
  /// - Throws: `LocatedError` if they do not.
  package func requireMemory(inParallel count: Int) throws {
    guard let search else { return }
    // An endgame player has a separate search.
    let count = endgame == nil ? count : 2 * count
    try Memory.require(
      count * search.tableSize,
      for: count == 1 ? "the transposition table" : "\(count) transposition tables",
      path: "\(self)",
      remedy: count == 1 ? "choose a smaller table" : "choose a smaller table, or fewer --threads")
  }
}

/// Makes players over any evaluator.
private struct PlayerMaker: EvaluatorVisitor {
  let name: String
  let specification: PlayerSpecification
  let rules: Rules
  let tables: EndgameTables?

  func visit(_ evaluator: some Evaluator) -> PlayerSpecification.SavingFactory {
    let (name, rules) = (name, rules)
    if let settings = specification.monteCarlo {
      return { seed, _ in
        MonteCarloPlayer(
          name: name, evaluator: evaluator, settings: settings, rules: rules, seed: seed)
      }
    }
    let settings = specification.search!
    guard let tables else { return expectimax(evaluator, settings) }
    return expectimax(TableEvaluator(evaluator, tables: tables), settings)
  }

  private func expectimax(
    _ evaluator: some Evaluator, _ settings: SearchSettings
  ) -> PlayerSpecification.SavingFactory {
    let (name, rules) = (name, rules)
    return { _, bank in
      ExpectimaxPlayer(
        name: name, search: Expectimax(evaluator, rules: rules, settings: settings, bank: bank))
    }
  }
}
