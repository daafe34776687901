import Game2048
import RandomSources

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
