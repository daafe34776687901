import Game2048
import NTupleNetwork

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
    MoveEvaluation.all(from: board, rules: rules) { _, afterstate, reward in
      Double(Float(reward) + network.value(ofPlanes: network.planes(of: afterstate)))
    }
  }
}
