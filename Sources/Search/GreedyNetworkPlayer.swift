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

  /// Returns the best move, and the moves with their rewards plus the network's values of their afterstates.
  public func decide(on board: Board) -> Decision {
    let moves = MoveEvaluation.all(from: board, rules: rules) { _, afterstate, reward in
      Double(Float(reward) + network.value(ofPlanes: network.planes(of: afterstate)))
    }
    return Decision(moves: moves, best: chooseMove(from: board))
  }
}
