import Evaluators
import Game2048
import NTupleNetwork

/// Plays the best move of an expectimax.
public struct ExpectimaxPlayer<E: Evaluator>: Player {
  public let name: String
  public let search: Expectimax<E>

  @inlinable
  public init(name: String, search: Expectimax<E>) {
    self.name = name
    self.search = search
  }

  @inlinable
  public func chooseMove(from board: Board) -> Direction? {
    search.bestMove(from: board)
  }

  /// The moves, each with `rewardWeight · reward` plus the searched value of its afterstate.
  @inlinable
  public func evaluateMoves(_ board: Board) -> [MoveEvaluation] {
    search.evaluateMoves(board)
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
      Double(Float(reward) + network.value(ofPlanes: afterstate.saturatedPlanes))
    }
  }
}
