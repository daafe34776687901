import Evaluators
import Game2048
import NTupleNetwork

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

  /// The probability under which searches of automatic depth do not follow a chance node.
  public static let autoProbabilityThreshold = 1e-4

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
    case .expectimax(let evaluator, let depth):
      return evaluator.visit(SearchMaker(name: name, rules: rules, depth: depth))
    case .heuristic(let depth):
      return SearchMaker(name: name, rules: rules, depth: depth).visit(RowScore())
    case .learned(let model, let depth):
      let network = try loadModel(model)
      if depth == .plies(1) {
        return { _ in GreedyNetworkPlayer(name: name, network: network, rules: rules) }
      }
      return SearchMaker(name: name, rules: rules, depth: depth).visit(network)
    }
  }
}

/// Makes expectimax players over any evaluator.
struct SearchMaker: EvaluatorVisitor {
  let name: String
  let rules: Rules
  let depth: SearchDepth

  func visit<E: Evaluator>(_ evaluator: E) -> @Sendable (_ seed: UInt64) -> any Player {
    let (name, rules, depth) = (name, rules, depth)
    let threshold = depth == .auto ? PlayerSpecification.autoProbabilityThreshold : 0
    let tableBits = tableBits
    return { _ in
      ExpectimaxPlayer(
        name: name,
        search: Expectimax(
          evaluator, rules: rules, depth: depth, probabilityThreshold: threshold,
          tableBits: tableBits))
    }
  }

  /// The size of the transposition table: as fast as any for rowScore, and small enough to stay in
  /// the cache. At two plies no afterstate comes twice.
  private var tableBits: Int? {
    switch depth {
    case .plies(1), .plies(2): nil
    case .plies(3): 12
    case .plies: 16
    case .auto: 17
    }
  }
}
