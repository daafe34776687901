import Basics
import Game2048

/// The moves of a game, or of a part of one.
public struct PlayedGame: Sendable {
  /// One move.
  public struct Move: Hashable, Sendable {
    /// The board before the move.
    public let board: Board
    /// The direction played.
    public let direction: Direction
    /// The score before the move, in points.
    public let score: Int
  }

  /// A board of a game, and how it came about.
  public struct Position: Sendable {
    /// The board after the move and its spawn.
    public let board: Board
    /// The score so far, in points.
    public let score: Int
    /// The move that led to the board, and its reward; nil for the first board.
    public let move: (direction: Direction, reward: Int)?
  }

  /// The rules of the game.
  public let rules: Rules
  /// The moves in order.
  public private(set) var moves: [Move] = []
  /// The board after the last move and its spawn.
  public private(set) var board: Board
  /// The score after the last move, in points.
  public private(set) var score: Int

  /// Creates a game without moves.
  public init(from board: Board, score: Int = 0, rules: Rules = .standard) {
    self.rules = rules
    self.board = board
    self.score = score
  }

  /// Creates the game of a record.
  ///
  /// - Throws: `GameRecordError` if the record breaks the rules.
  public init(_ replay: GameReplay) throws(GameRecordError) {
    self.init(from: replay.board, score: replay.score, rules: replay.rules)
    var replay = replay
    while let move = try replay.step() {
      moves.append(Move(board: board, direction: move.direction, score: score))
      (board, score) = (replay.board, replay.score)
    }
  }

  /// Returns the board after a number of moves.
  ///
  /// - Precondition: `count` is in `0...moves.count`.
  public func position(after count: Int) -> Position {
    let (board, score) =
      count < moves.count ? (moves[count].board, moves[count].score) : (self.board, self.score)
    let last = count > 0 ? moves[count - 1] : nil
    return Position(
      board: board, score: score, move: last.map { ($0.direction, score - $0.score) })
  }

  /// Appends the move that led to the next board.
  ///
  /// - Parameters:
  ///   - next: The board after the move and its spawn.
  ///   - direction: The direction of the move; nil for the first of up, down, left and right that leads to the
  ///     board. Only few boards at the start of a game are reached in two directions.
  /// - Returns: Whether the rules allow the move. If not, the game stays as it is.
  public mutating func append(_ next: Board, direction: Direction? = nil) -> Bool {
    let candidates = direction.map { [$0] } ?? Direction.allCases
    for direction in candidates {
      guard let move = rules.move(board, direction), next.isSpawn(on: move.afterstate) else {
        continue
      }
      moves.append(Move(board: board, direction: direction, score: score))
      board = next
      score += move.reward
      return true
    }
    return false
  }
}

extension Board {
  /// Returns whether this board is an afterstate with one additional tile, a 2 or a 4.
  fileprivate func isSpawn(on afterstate: Board) -> Bool {
    guard tileCount == afterstate.tileCount + 1 else { return false }
    let cell = cellAdded(to: afterstate)
    guard cell < Board.cellCount, self[cell] <= 2 else { return false }
    var expected = afterstate
    expected[cell] = self[cell]
    return expected == self
  }
}

extension PlayedGame {
  /// Returns the text that `learn2048 replay` prints: the title after a `#`, a line for each board, a picture of the
  /// last board, and the score.
  ///
  /// ``init(lines:name:rules:asExponents:)`` reads it.
  public func text(title: String) -> String {
    let lines = (0...moves.count).map { ReplayLine(number: $0, position(after: $0)).text }
    return (["# \(title)"] + lines).joined(separator: "\n")
      + "\n\n\(board.description(size: rules.size))\nscore \(NumberText.grouped(score)) in "
      + NumberText.count(moves.count, "move")
  }
}
