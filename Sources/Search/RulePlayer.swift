import Game2048

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
