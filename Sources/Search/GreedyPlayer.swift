import Game2048

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
