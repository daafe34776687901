import Game2048

/// Something that chooses moves. A player may keep state between moves, such as its random source.
public protocol Player {
  /// What tables call it, such as `heuristic:depth=3`.
  var name: String { get }

  /// The move to make in `board`, or nil if no move is legal.
  mutating func chooseMove(from board: Board) -> Direction?

  /// What the player makes of the four moves from `board`, in the order up, down, left, right.
  ///
  /// It leaves the player's random source alone. A player that does not value moves gives no values.
  func evaluateMoves(_ board: Board) -> [MoveEvaluation]

  /// The move to make in `board`, and the values that speak for it.
  mutating func decide(on board: Board) -> Decision
}

extension Player {
  public mutating func decide(on board: Board) -> Decision {
    // The values first: a player that draws random numbers compares these in its next choice.
    let moves = evaluateMoves(board)
    return Decision(moves: moves, best: chooseMove(from: board))
  }
}

/// What a player makes of a board.
public struct Decision: Hashable, Sendable {
  /// The four moves, in the order up, down, left, right.
  public let moves: [MoveEvaluation]
  /// The move to make; nil if none is legal.
  public let best: Direction?
}

/// One of the four moves of a board, and what a player makes of it.
public struct MoveEvaluation: Hashable, Sendable {
  public let direction: Direction
  /// Whether the move changes the board.
  public let legal: Bool
  /// The points that the move earns; 0 if it is not legal.
  public let reward: Int
  /// The board after the slide, before the spawn; the board itself if the move is not legal.
  public let afterstate: Board
  /// What the player compares moves by, in its own unit; nil for a move that is not legal, and for a
  /// player that does not value moves.
  public let value: Double?
}

extension MoveEvaluation {
  /// The four moves from `board`, the legal ones valued by `value`.
  public static func all(
    from board: Board, rules: Rules,
    value: (_ afterstate: Board, _ reward: Int) -> Double? = { _, _ in nil }
  ) -> [MoveEvaluation] {
    let moves = rules.moves(from: board)
    return Direction.allCases.map { direction in
      let afterstate = moves.afterstate(direction)
      let reward = moves.reward(direction)
      let legal = afterstate != board
      return MoveEvaluation(
        direction: direction, legal: legal, reward: legal ? reward : 0, afterstate: afterstate,
        value: legal ? value(afterstate, reward) : nil)
    }
  }
}
