import Evaluators
import Game2048
import NTupleNetwork

/// Plays the best move of an expectimax.
///
/// It has no type parameter: the search is a closure, made where the evaluator is known, because code
/// that is reached through a generic type's conformance to ``Player`` is not compiled for its evaluator.
public struct ExpectimaxPlayer: Player {
  public let name: String
  public let settings: SearchSettings
  private let searchBoard: (Board) -> SearchResult
  private let rules: Rules

  @inlinable
  public init<E: Evaluator>(name: String, search: Expectimax<E>) {
    self.init(name: name, settings: search.settings, rules: search.rules) { search.search($0) }
  }

  @usableFromInline
  init(
    name: String, settings: SearchSettings, rules: Rules,
    searchBoard: @escaping (Board) -> SearchResult
  ) {
    self.name = name
    self.settings = settings
    self.rules = rules
    self.searchBoard = searchBoard
  }

  public func chooseMove(from board: Board) -> Direction? { searchBoard(board).best }

  /// The moves, each with `rewardWeight · reward` plus the searched value of its afterstate.
  public func evaluateMoves(_ board: Board) -> [MoveEvaluation] { decide(on: board).moves }

  // One search for both: within a budget, the next one finds what this one left in the table.
  public func decide(on board: Board) -> Decision {
    let result = searchBoard(board)
    return Decision(
      moves: .all(from: board, rules: rules, values: result.values), best: result.best)
  }
}

/// Plays the move with the largest reward plus network value, the first of equal ones.
///
/// The same moves as an expectimax of one ply, but for rounding: the network values all four moves
/// at once.
public struct GreedyNetworkPlayer: Player {
  public let name: String
  public let network: NTupleNetwork
  public let rules: Rules

  public init(name: String = "learned", network: NTupleNetwork, rules: Rules = .standard) {
    self.name = name
    self.network = network
    self.rules = rules
  }

  public func chooseMove(from board: Board) -> Direction? {
    network.greedyMove(from: board, rules: rules)?.direction
  }

  /// The moves, each with its reward plus the network's value of its afterstate.
  public func evaluateMoves(_ board: Board) -> [MoveEvaluation] {
    MoveEvaluation.all(from: board, rules: rules) { afterstate, reward in
      Double(Float(reward) + network.value(ofPlanes: network.planes(of: afterstate)))
    }
  }
}
