import Evaluators
import Game2048
import NTupleNetwork
import Search

extension PlayerSpecification {
  /// The MODEL texts of the networks that the player needs; nil for one that it does not name.
  public var models: [String?] {
    switch self {
    case .learned(let model, _): [model]
    case .monteCarlo(let settings):
      if case .plies(_, .model(let model)) = settings.horizon { [model] } else { [] }
    case .random, .greedy, .rules, .expectimax, .heuristic: []
    }
  }

  /// Makes one player.
  ///
  /// - Parameters:
  ///   - seed: seeds what is random about the player.
  ///   - loadModel: returns the network of a MODEL text, or of nil where the text names none.
  /// - Throws: what `loadModel` throws.
  public func makePlayer(
    rules: Rules = .standard, seed: UInt64, loadModel: (String?) throws -> NTupleNetwork
  ) throws -> any Player {
    try makeFactory(rules: rules, loadModel: loadModel)(seed)
  }

  /// Loads what the player needs, once, and returns a maker of fresh players by seed.
  ///
  /// - Throws: what `loadModel` throws.
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
      return try settings.makeFactory(rules: rules, loadModel: loadModel)
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
struct SearchMaker: EvaluatorVisitor {
  let name: String
  let rules: Rules
  let settings: SearchSettings

  func visit<E: Evaluator>(_ evaluator: E) -> @Sendable (_ seed: UInt64) -> any Player {
    let (name, rules, settings) = (name, rules, settings)
    return { _ in
      ExpectimaxPlayer(
        name: name, search: Expectimax(evaluator, rules: rules, settings: settings))
    }
  }
}
