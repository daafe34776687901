import Basics
import Evaluators
import Game2048
import NTupleNetwork
import Search

extension PlayerSpecification {
  /// Makes one player.
  ///
  /// - Parameters:
  ///   - seed: The seed of the player's random source.
  ///   - loadModel: Returns the network of a MODEL text, or the default network for nil.
  /// - Throws: The errors of `loadModel`.
  public func makePlayer(
    rules: Rules = .standard, seed: UInt64, loadModel: (String?) throws -> NTupleNetwork
  ) throws -> any Player {
    try makeFactory(rules: rules, loadModel: loadModel)(seed)
  }

  /// Loads the networks of the player and returns a maker of players by seed.
  ///
  /// Every player that the maker returns has a separate search with separate memory, so players may
  /// play in parallel. They share the network.
  ///
  /// - Throws: The errors of `loadModel`.
  public func makeFactory(
    rules: Rules = .standard, loadModel: (String?) throws -> NTupleNetwork
  ) throws -> @Sendable (_ seed: UInt64) -> any Player {
    switch kind {
    case .random: return { RandomPlayer(rules: rules, seed: $0) }
    case .greedy: return { _ in GreedyPlayer(rules: rules) }
    case .rules: return { _ in RulePlayer(rules: rules) }
    case .monteCarlo, .expectimax, .heuristic, .learned:
      let maker = PlayerMaker(name: description, specification: self, rules: rules)
      if let evaluator { return evaluator.visit(maker) }
      guard let model = models.first else { return maker.visit(PointsAlone()) }
      let network = try loadModel(model)
      if search == SearchSettings(depth: .plies(1)) {
        let name = maker.name
        return { _ in GreedyNetworkPlayer(name: name, network: network, rules: rules) }
      }
      return maker.visit(network)
    }
  }

  /// Checks that the transposition tables fit into memory.
  ///
  /// - Parameter count: The number of such players that play in parallel, each with a separate
  ///   table.
  /// - Throws: `LocatedError` if they do not.
  package func requireMemory(inParallel count: Int) throws {
    guard let search else { return }
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

  func visit(_ evaluator: some Evaluator) -> @Sendable (_ seed: UInt64) -> any Player {
    let (name, rules) = (name, rules)
    if let settings = specification.monteCarlo {
      return { seed in
        MonteCarloPlayer(
          name: name, evaluator: evaluator, settings: settings, rules: rules, seed: seed)
      }
    }
    let settings = specification.search!
    return { _ in
      ExpectimaxPlayer(
        name: name, search: Expectimax(evaluator, rules: rules, settings: settings))
    }
  }
}
