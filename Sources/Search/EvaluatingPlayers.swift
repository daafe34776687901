import Evaluators
import Game2048
import NTupleNetwork

/// A player of the best move of an expectimax.
///
/// The player has no type parameter. The search is a closure that is made where the evaluator is
/// known, because code that is reached through a generic type's conformance to ``Player`` is not
/// compiled for its evaluator.
///
/// Thread safety: copies share the memory of one search, so only one thread may use a player and
/// its copies. Make one player, with its own search, per thread.
public struct ExpectimaxPlayer: Player {
  public let name: String
  public let settings: SearchSettings
  private let searchBoard: (Board) -> SearchResult
  private let rules: Rules

  @inlinable
  public init(name: String, search: Expectimax<some Evaluator>) {
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

  /// Returns the moves, each with `rewardWeight · reward` plus the searched value of its
  /// afterstate.
  public func evaluateMoves(_ board: Board) -> [MoveEvaluation] { decide(on: board).moves }

  // One search for both: with a budget, a second one would profit from the table of the first.
  public func decide(on board: Board) -> Decision {
    let result = searchBoard(board)
    return Decision(
      moves: .all(from: board, rules: rules, values: result.values), best: result.best)
  }
}

/// A player of the move with the largest reward plus network value.
///
/// Of equal sums, the first wins. The moves are those of an expectimax of one ply, except for
/// rounding: the network values all four moves at once.
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

  /// Returns the moves, each with its reward plus the network's value of its afterstate.
  public func evaluateMoves(_ board: Board) -> [MoveEvaluation] {
    MoveEvaluation.all(from: board, rules: rules) { afterstate, reward in
      Double(Float(reward) + network.value(ofPlanes: network.planes(of: afterstate)))
    }
  }
}
