import Basics
import Foundation
import Game2048

extension PlayedGame {
  /// Reads a game from the content of a file.
  ///
  /// It has boards, lines of `learn2048 replay`, a `.rpl` of 2048EndgameTablebase, or the saved state of the browser
  /// game, which is a game without moves.
  ///
  /// - Parameters:
  ///   - content: The bytes of the file.
  ///   - name: The name of the file, for messages.
  ///   - rules: The rules of the game; nil for the first size of 4, 3 and 2 on which the moves are legal.
  ///   - asExponents: Whether rows of values are exponents and not tiles.
  /// - Throws: `LocatedError` that names the line or the move.
  public init(
    reading content: Data, name: String, rules: Rules?, asExponents: Bool = false
  ) throws(LocatedError) {
    guard rules == nil else {
      try self.init(content, name: name, rules: rules!, asExponents: asExponents)
      return
    }
    do {
      try self.init(content, name: name, rules: .standard, asExponents: asExponents)
    } catch {
      for size in [3, 2] {
        guard
          let game = try? PlayedGame(
            content, name: name, rules: Rules(size: size), asExponents: asExponents)
        else { continue }
        self = game
        return
      }
      throw error
    }
  }

  private init(
    _ content: Data, name: String, rules: Rules, asExponents: Bool
  ) throws(LocatedError) {
    if EndgameReplay.isReplay(content) {
      try self.init(EndgameReplay(content), name: name, rules: rules)
      return
    }
    if let zero = content.firstIndex(of: 0) {
      throw LocatedError(
        .unsuitableData, path: name, place: "byte \(zero - content.startIndex)",
        "this is neither a text nor a file of recorded games",
        remedy: "name recorded games, a .rpl file, or a text of boards")
    }
    let text = content.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    if text.first == UInt8(ascii: "{"), let state = try? JSONParser.parse(Array(text)) {
      try self.init(savedState: state, name: name, rules: rules)
      return
    }
    do {
      try self.init(
        lines: try TextFile.lines(of: content, limit: .boardLine, name: name), name: name,
        rules: rules, asExponents: asExponents)
    } catch {
      guard let moves = PlayedGame.moves(in: content) else { throw error }
      throw LocatedError(
        .unsuitableData, path: name,
        "has \(NumberText.count(moves, "move")) and no boards, and moves do not tell which tiles appeared after them",
        remedy: "pass the boards of the game, one per line")
    }
  }

  /// Throws if the game has no move, as that of a saved state.
  public func requireMoves(name: String) throws(LocatedError) {
    guard moves.isEmpty else { return }
    throw LocatedError(
      .unsuitableData, path: name, "has the board \(board.text) and no moves",
      remedy: "evaluate the board with learn2048 analyze \(board.text)")
  }

  /// Returns the number of moves of a text that has nothing but moves: letters of directions, digits from 0 to 3, or
  /// words.
  private static func moves(in content: Data) -> Int? {
    let words = String(decoding: content, as: UTF8.self).lowercased()
      .split { $0.isWhitespace || ",;[]\"'".contains($0) }
    var count = 0
    for word in words {
      if Direction.allCases.contains(where: { "\($0)" == word }) {
        count += 1
      } else if word.allSatisfy("urdl".contains)
        // Sixteen digits are a board.
        || word.allSatisfy("0123".contains) && word.count != Board.cellCount
      {
        count += word.count
      } else {
        return nil
      }
    }
    return count > 0 ? count : nil
  }
}

extension PlayedGame {
  /// Reads a game from its boards, in the lines that `BoardLines` describes.
  ///
  /// A line may also be one of `learn2048 replay`. Lines that start with `#` and lines of words, as programs log them,
  /// are skipped, and after lines of `replay` also its picture of the last board and the score.
  ///
  /// - Parameters:
  ///   - lines: The lines that are not empty, with their numbers from 1.
  ///   - name: The name of the file, for messages.
  ///   - rules: The rules of the game.
  ///   - asExponents: Whether rows of values are exponents and not tiles.
  /// - Throws: `LocatedError` that names the line, for a line that is not a board, for a board that no move leads to,
  ///   and for points that the move does not earn.
  public init(
    lines: [(number: Int, text: String)], name: String, rules: Rules, asExponents: Bool = false
  ) throws(LocatedError) {
    var reader = GameReader(name: name, rules: rules, asExponents: asExponents)
    var boards = BoardLines()
    var isReplay = false
    for (number, text) in lines {
      let fields = text.split(whereSeparator: \.isWhitespace)
      let replayed = ReplayLine(fields)
      isReplay = isReplay || replayed != nil
      let isOther =
        fields.first?.hasPrefix("#") ?? true || isReplay && isEndOfReplay(fields)
        || areWords(fields)
      if replayed != nil || isOther {
        if let rest = boards.end() { try reader.add(rest.text, line: rest.line) }
        if let replayed { try reader.add(replayed.board, line: number, replayed) }
        continue
      }
      for board in boards.take(text, line: number) {
        try reader.add(board.text, line: board.line)
      }
    }
    if let rest = boards.end() { try reader.add(rest.text, line: rest.line) }
    guard let game = reader.game, !game.moves.isEmpty else {
      throw LocatedError(
        .unsuitableData, path: name, "has no move",
        remedy: "write at least two boards, one per line")
    }
    self = game
  }
}

/// A game as far as it has been read.
private struct GameReader {
  let name: String
  let rules: Rules
  let asExponents: Bool
  var game: PlayedGame?

  /// Adds the next board of the game.
  mutating func add(_ text: String, line: Int, _ replayed: ReplayLine? = nil) throws(LocatedError) {
    func error(_ problem: String, remedy: String) -> LocatedError {
      LocatedError(.unsuitableData, path: name, place: "line \(line)", problem, remedy: remedy)
    }
    let board: Board
    do {
      board = try Board(text: text, size: rules.size, asExponents: asExponents)
    } catch let reason {
      let isOfExponents = (try? Board(text: text, size: rules.size, asExponents: true)) != nil
      throw error(
        "\(reason)",
        remedy: isOfExponents && !asExponents
          ? "if these are exponents, learn2048 review --exponents reads them"
          : "write one board per line, or one row")
    }
    guard rules.haveRoom(for: board) else {
      throw error(
        "a tile lies outside the \(rules.size)x\(rules.size) board of the model",
        remedy: "choose the model with which the game was played")
    }
    guard let before = game?.board else {
      game = PlayedGame(from: board, score: replayed?.score ?? 0, rules: rules)
      return
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
}

/// A line of `learn2048 replay`, such as `3 left +4 12 1020000000000000`: the number of the move, the direction and the
/// reward or `start`, the score, and the board.
struct ReplayLine {
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

/// Returns whether a line has words, such as `Move #3, score 12`, and no board.
private func areWords(_ fields: [Substring]) -> Bool {
  let hasWord = fields.contains { field in
    let letters = field.drop { !$0.isLetter }.prefix { $0.isLetter }
    // `bad` and `face` could be exponents.
    return letters.count > 1 && letters.contains { !("a"..."h").contains($0.lowercased()) }
  }
  return hasWord
    && !fields.contains { $0.count == Board.cellCount && $0.contains(where: \.isNumber) }
}
