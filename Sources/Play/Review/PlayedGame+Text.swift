import Basics
import Game2048

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
