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
  /// ``init(lines:name:rules:)`` reads it.
  public func text(title: String) -> String {
    let lines = (0...moves.count).map { ReplayLine(number: $0, position(after: $0)).text }
    return (["# \(title)"] + lines).joined(separator: "\n")
      + "\n\n\(board.description(size: rules.size))\nscore \(NumberText.grouped(score)) in "
      + NumberText.count(moves.count, "move")
  }

  /// Reads a game from its boards, one per line.
  ///
  /// A line is a board, or a line of `learn2048 replay`. Lines that start with `#` are skipped, and after lines of
  /// `replay` also its picture of the last board and the score.
  ///
  /// - Parameters:
  ///   - lines: The lines that are not empty, with their numbers from 1.
  ///   - name: The name of the file, for messages.
  ///   - rules: The rules of the game.
  /// - Throws: `LocatedError` that names the line, for a line that is not a board, for a board that no move leads to,
  ///   and for points that the move does not earn.
  public init(
    lines: [(number: Int, text: String)], name: String, rules: Rules
  ) throws(LocatedError) {
    var game: PlayedGame?
    var isReplay = false
    for (number, text) in lines where !text.hasPrefix("#") {
      let fields = text.split(whereSeparator: \.isWhitespace)
      let replayed = ReplayLine(fields)
      isReplay = isReplay || replayed != nil
      if isReplay, replayed == nil, isEndOfReplay(fields) { continue }
      func error(_ problem: String, remedy: String) -> LocatedError {
        LocatedError(
          .unsuitableData, path: name, place: "line \(number)", problem, remedy: remedy)
      }
      let board: Board
      do {
        board = try Board(text: replayed?.board ?? text)
      } catch let reason {
        throw error("\(reason)", remedy: "write one board per line")
      }
      guard rules.haveRoom(for: board) else {
        throw error(
          "a tile lies outside the \(rules.size)x\(rules.size) board of the model",
          remedy: "choose the model with which the game was played")
      }
      guard let before = game?.board else {
        game = PlayedGame(from: board, score: replayed?.score ?? 0, rules: rules)
        continue
      }
      guard game!.append(board, direction: replayed?.direction) else {
        let move = replayed?.direction.map { "moving \($0)" } ?? "no move"
        let verb = replayed?.direction == nil ? "leads" : "does not lead"
        throw error(
          "\(move) \(verb) from \(before.text) to \(board.text)",
          remedy: "check that no board is missing, and that the text has only one game")
      }
      let reward = game!.score - game!.moves.last!.score
      if let replayed, (replayed.reward, replayed.score) != (reward, game!.score) {
        throw error(
          "states +\(replayed.reward) and \(replayed.score) points, but the move earns +\(reward), which makes "
            + "\(game!.score)",
          remedy: "correct the line, or leave out all but the boards")
      }
    }
    guard let game, !game.moves.isEmpty else {
      throw LocatedError(
        .unsuitableData, path: name, "has no move",
        remedy: "write at least two boards, one per line")
    }
    self = game
  }
}

/// A line of `learn2048 replay`, such as `3 left +4 12 1020000000000000`: the number of the move, the direction and the
/// reward or `start`, the score, and the board.
private struct ReplayLine {
  let number: Int
  /// The direction of the move; nil for the start.
  let direction: Direction?
  let reward: Int
  let score: Int
  let board: String

  init(number: Int, _ position: PlayedGame.Position) {
    self.number = number
    direction = position.move?.direction
    reward = position.move?.reward ?? 0
    score = position.score
    board = position.board.text
  }

  var text: String {
    let move = direction.map { "\($0) +\(reward)" } ?? "start"
    return "\(number) \(move) \(score) \(board)"
  }

  /// Reads the fields of a line; nil if it is another line.
  init?(_ fields: [Substring]) {
    let isStart = fields.count == 4 && fields[1] == "start"
    guard isStart || fields.count == 5 && fields[2].hasPrefix("+"), let number = Int(fields[0]),
      let score = Int(fields[isStart ? 2 : 3]), InputLimit.countOfEpisode.allows(score)
    else { return nil }
    direction = Direction.allCases.first { "\($0)" == fields[1] }
    let reward = isStart ? 0 : Int(fields[2].dropFirst())
    guard isStart || direction != nil, let reward else { return nil }
    self.number = number
    self.reward = reward
    self.score = score
    board = String(fields.last!)
  }
}

/// Returns whether a line is a row of the picture at the end of a replay, or the sentence below it.
private func isEndOfReplay(_ fields: [Substring]) -> Bool {
  if fields.first == "score" { return true }
  return (2...4).contains(fields.count) && fields.allSatisfy { $0 == "." || Int($0) != nil }
}
