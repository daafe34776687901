import Game2048
import NTupleNetwork

/// A player of uniformly random legal moves.
public struct RandomPlayer: Player {
  public let rules: Rules
  private var source: Xoshiro256

  public init(rules: Rules = .standard, seed: UInt64) {
    self.rules = rules
    source = Xoshiro256(seed: seed)
  }

  public var name: String { "random" }

  public mutating func chooseMove(from board: Board) -> Direction? {
    var legal = rules.moves(from: board).legalMoves(from: board)
    if legal == 0 { return nil }
    for _ in 0..<source.next(upperBound: UInt64(legal.nonzeroBitCount)) { legal &= legal - 1 }
    return Direction(rawValue: legal.trailingZeroBitCount)
  }

  /// Returns a move, and the moves without values: all legal ones are alike.
  public mutating func decide(on board: Board) -> Decision {
    Decision(
      moves: MoveEvaluation.all(from: board, rules: rules), best: chooseMove(from: board))
  }
}

/// A player of the legal move with the highest reward.
///
/// Of equal rewards, the last in the order up, down, left, right wins.
public struct GreedyPlayer: Player {
  public let rules: Rules

  public init(rules: Rules = .standard) {
    self.rules = rules
  }

  public var name: String { "greedy" }

  public func chooseMove(from board: Board) -> Direction? {
    let moves = rules.moves(from: board)
    var best: Direction?
    for direction in Direction.allCases where moves.afterstate(direction) != board {
      if moves.reward(direction) >= best.map(moves.reward) ?? 0 { best = direction }
    }
    return best
  }

  /// Returns the best move, and the moves with their rewards as values.
  public func decide(on board: Board) -> Decision {
    Decision(
      moves: MoveEvaluation.all(from: board, rules: rules) { _, _, reward in Double(reward) },
      best: chooseMove(from: board))
  }
}

/// A player that follows the first applicable rule of a short list.
///
/// 1. If a largest tile stands in a corner: the first of up, down, left, right that earns a reward
///    and leaves a largest tile in that corner.
/// 2. The first legal of left, down, right, up.
///
/// If largest tiles stand in several corners, keeping one of those corners is enough.
public struct RulePlayer: Player {
  public let rules: Rules
  /// A mask of the corner cells.
  private let corners: UInt16

  public init(rules: Rules = .standard) {
    self.rules = rules
    let last = rules.size - 1
    corners = 1 | 1 << last | 1 << (4 * last) | 1 << (5 * last)
  }

  public var name: String { "rules" }

  public func chooseMove(from board: Board) -> Direction? {
    let moves = rules.moves(from: board)
    let held = cornersWithLargestTile(board)
    if held != 0 {
      for direction in Direction.allCases where moves.reward(direction) > 0 {
        if cornersWithLargestTile(moves.afterstate(direction)) & held != 0 { return direction }
      }
    }
    return [.left, .down, .right, .up].first { moves.afterstate($0) != board }
  }

  /// Returns a move, and the moves without values: rules do not compare moves.
  public func decide(on board: Board) -> Decision {
    Decision(
      moves: MoveEvaluation.all(from: board, rules: rules), best: chooseMove(from: board))
  }

  /// A mask of the corner cells that hold a largest tile.
  private func cornersWithLargestTile(_ board: Board) -> UInt16 {
    let largest = board.largestTile
    return largest.exponent == 0 ? 0 : largest.cells & corners
  }
}

/// A player of the move with the largest reward plus network value.
///
/// Of equal sums, the first wins. The moves are those of an expectimax of one ply, except for
/// rounding: the network values all four moves at once.
public struct GreedyNetworkPlayer<Network: PlayableNetwork>: Player {
  public let name: String
  public let network: Network
  public let rules: Rules

  public init(name: String = "learned", network: Network, rules: Rules = .standard) {
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
