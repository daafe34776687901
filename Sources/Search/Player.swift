import Game2048

/// Something that chooses moves. A player may keep state between moves, such as its random source.
public protocol Player {
  /// What tables call it, such as `heuristic:depth=3`.
  var name: String { get }

  /// The move to make in `board`, or nil if no move is legal.
  mutating func chooseMove(from board: Board) -> Direction?
}
