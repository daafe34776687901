import ArgumentParser
import Basics
import Foundation
import Game2048
import Play

/// The text of a board on a command line or in a file.
struct BoardText {
  /// The place of the text for messages, such as `boards.txt, line 3`.
  let place: String
  let text: String

  /// Reads a file of boards, on one line each or on one line per row; `-` for standard input.
  static func lines(of file: String) throws -> [BoardText] {
    var boards: [BoardText] = []
    try forEachLine(of: file) { boards.append($0) }
    return boards
  }

  /// Calls `body` with every board of a file; those of standard input, `-`, as soon as they have been read.
  static func forEachLine(of file: String, _ body: (BoardText) throws -> Void) throws {
    var isEmpty = true
    var boards = BoardLines()
    func pass(_ board: BoardLines.Entry) throws {
      isEmpty = false
      try body(BoardText(place: "\(name(of: file)), line \(board.line)", text: board.text))
    }
    func take(_ number: Int, _ text: String) throws {
      if text.drop(while: \.isWhitespace).first == "#" { return }
      for board in boards.take(text, line: number) { try pass(board) }
    }
    if file == "-" {
      try TextFile.forEachLineOfStandardInput(limit: .boardLine, take)
    } else {
      let content = try content(of: file)
      for line in try TextFile.lines(of: content, limit: .boardLine, name: file) {
        try take(line.number, line.text)
      }
    }
    if let rest = boards.end() { try pass(rest) }
    if isEmpty {
      throw Failure(.badData, "\(name(of: file)): no board. Write one board per line.")
    }
  }

  /// Returns the name of a file for messages.
  static func name(of file: String) -> String { file == "-" ? "standard input" : file }

  /// Returns the bytes of a file of boards; `-` for standard input.
  static func content(of file: String) throws -> Data {
    try file == "-"
      ? TextFile.readStandardInput(limit: .boards) : TextFile.read(file, limit: .boards)
  }

  /// Returns the board.
  ///
  /// - Parameter asExponents: Whether values are exponents and not tiles.
  func board(_ rules: Rules, asExponents: Bool) throws -> Board {
    let board: Board
    do {
      board = try Board(text: text, size: rules.size, asExponents: asExponents)
    } catch {
      let isOfExponents =
        !asExponents && (try? Board(text: text, size: rules.size, asExponents: true)) != nil
      throw Failure(
        .badData,
        sentence("\(place): \(error)")
          + (isOfExponents ? " If these are exponents, pass --exponents." : ""))
    }
    guard rules.haveRoom(for: board) else {
      throw Failure(
        .badData,
        "\(place): a tile lies outside the \(rules.size)x\(rules.size) board of the model.")
    }
    guard !rules.isOver(board) else {
      throw Failure(.badData, "\(place): no move is legal on \(board.text). The game is over.")
    }
    return board
  }
}

extension BoardText {
  /// Reads the boards from which `evaluate --start` plays: those of a file with one per line, or of recorded games.
  ///
  /// - Parameters:
  ///   - file: The path, or `-` for boards from standard input.
  ///   - exponents: The exponents of the tiles with which the boards of recorded games begin; empty for boards.
  static func starts(_ file: String, from exponents: [Int]) throws -> [BoardText] {
    guard try file != "-" && GameRecordFile.isRecord(file) else {
      if !exponents.isEmpty {
        throw Failure(
          .usage, "--from is for recorded games, and \(file) has boards. Leave it out.")
      }
      return try lines(of: file)
    }
    guard !exponents.isEmpty else {
      throw Failure(
        .usage,
        "\(file) has recorded games. Name the tile from which to play with --from, such as --from 16384."
      )
    }
    let games = try GameRecordFile.read(file)
    let texts = try games.firstBoards(with: exponents, path: file).map { player, game, board in
      BoardText(
        place: "\(file), game \(game + 1) of \(games.header.players[player])", text: board.text)
    }
    if texts.isEmpty {
      throw Failure(
        .badData,
        "\(file): no game reached \(exponents.map { "\(1 << $0)" }.joined(separator: ", ")). Record more games, or name "
          + "smaller tiles.")
    }
    return texts
  }
}

/// Returns a function that reads a tile for an option, and returns its exponent, which is in a range.
func exponent(ofTileIn range: ClosedRange<Int>) -> @Sendable (String) throws -> Int {
  { text in
    guard let exponent = Board.exponent(ofTile: try count(text)), range.contains(exponent) else {
      throw ValidationError("Use a tile from \(1 << range.lowerBound) to \(1 << range.upperBound).")
    }
    return exponent
  }
}

/// Reads a tile that a move can make, and returns its exponent.
let tileExponent = exponent(ofTileIn: 2...Board.largestExponent)
