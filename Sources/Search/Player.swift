import Game2048

/// An algorithm that chooses moves.
///
/// A player may keep state between moves, such as a random source or a transposition table, so
/// nobody may use it from two threads.
public protocol Player {
  /// The name in tables, such as `heuristic:depth=3`.
  var name: String { get }

  /// Returns the move to play on `board`, and the action values that it was chosen by.
  ///
  /// A player that does not compare moves by value gives none.
  mutating func decide(on board: Board) -> Decision

  /// Returns the move to play on `board`; nil if no move is legal.
  ///
  /// It is that of ``decide(on:)``, whose values a player need not compute for it.
  mutating func chooseMove(from board: Board) -> Direction?
}

extension Player {
  public mutating func chooseMove(from board: Board) -> Direction? { decide(on: board).best }
}

/// The moves of a board as a player values them, and its choice.
public struct Decision: Hashable, Sendable {
  /// The four moves, in the order up, down, left, right.
  public let moves: [MoveEvaluation]
  /// The best move; nil if no move is legal.
  public let best: Direction?
  /// Whether an endgame table chose the move: the values are then probabilities of its goal, whatever they are
  /// otherwise.
  public let isFromTable: Bool

  package init(moves: [MoveEvaluation], best: Direction?, isFromTable: Bool = false) {
    self.moves = moves
    self.best = best
    self.isFromTable = isFromTable
  }
}

/// One of the four moves of a board, with its action value.
public struct MoveEvaluation: Hashable, Sendable {
  public let direction: Direction
  /// Whether the move changes the board.
  public let legal: Bool
  /// The points that the move earns; 0 if it is not legal.
  public let reward: Int
  /// The board after the slide, before the spawn; the board itself if the move is not legal.
  public let afterstate: Board
  /// The action value, in the player's own unit; nil if the move is not legal, or if the player
  /// does not compare moves by value.
  public let value: Double?
}

extension MoveEvaluation {
  /// Returns the four moves from `board`, the legal ones with the values that `value` returns.
  public static func all(
    from board: Board, rules: Rules,
    value: (_ move: Direction, _ afterstate: Board, _ reward: Int) -> Double? = { _, _, _ in nil }
  ) -> [MoveEvaluation] {
    let moves = rules.moves(from: board)
    return Direction.allCases.map { direction in
      let afterstate = moves.afterstate(direction)
      let reward = moves.reward(direction)
      let legal = afterstate != board
      return MoveEvaluation(
        direction: direction, legal: legal, reward: legal ? reward : 0, afterstate: afterstate,
        value: legal ? value(direction, afterstate, reward) : nil)
    }
  }
}
