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
    let name = description
    switch self {
    case .random:
      return { RandomPlayer(rules: rules, seed: $0) }
    case .greedy:
      return { _ in GreedyPlayer(rules: rules) }
    case .rules:
      return { _ in RulePlayer(rules: rules) }
    case .monteCarlo(let settings):
      let maker = MonteCarloMaker(name: name, rules: rules, settings: settings)
      return switch settings.horizon {
      case .end: maker.visit(PointsAlone())
      case .plies(_, .evaluator(let evaluator)): evaluator.visit(maker)
      case .plies(_, .model(let model)): maker.visit(try loadModel(model))
      }
    case .expectimax(let evaluator, let search):
      return evaluator.visit(SearchMaker(name: name, rules: rules, settings: search))
    case .heuristic(let search):
      return SearchMaker(name: name, rules: rules, settings: search).visit(RowScore())
    case .learned(let model, let search):
      let network = try loadModel(model)
      if search == SearchSettings(depth: .plies(1)) {
        return { _ in GreedyNetworkPlayer(name: name, network: network, rules: rules) }
      }
      return SearchMaker(name: name, rules: rules, settings: search).visit(network)
    }
  }
}

/// Makes expectimax players over any evaluator.
private struct SearchMaker: EvaluatorVisitor {
  let name: String
  let rules: Rules
  let settings: SearchSettings

  func visit(_ evaluator: some Evaluator) -> @Sendable (_ seed: UInt64) -> any Player {
    let (name, rules, settings) = (name, rules, settings)
    return { _ in
      ExpectimaxPlayer(
        name: name, search: Expectimax(evaluator, rules: rules, settings: settings))
    }
  }
}

/// Makes Monte Carlo players over any evaluator.
private struct MonteCarloMaker: EvaluatorVisitor {
  let name: String
  let rules: Rules
  let settings: MonteCarloSettings

  func visit(_ evaluator: some Evaluator) -> @Sendable (_ seed: UInt64) -> any Player {
    let (name, rules, settings) = (name, rules, settings)
    return { seed in
      MonteCarloPlayer(
        name: name, evaluator: evaluator, settings: settings, rules: rules, seed: seed)
    }
  }
}
