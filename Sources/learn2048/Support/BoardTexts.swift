import Basics
import Foundation
import Game2048

/// The boards that a command is asked about, as texts, each with the place it comes from.
struct BoardTexts {
  struct Entry {
    /// What messages call the place.
    let place: String
    let text: String
  }

  let entries: [Entry]
  /// Whether there may be any number of boards, though it happens to be one.
  let areMany: Bool

  /// - Parameter file: a file of one board a line; `-` for standard input.
  /// - Throws: `LocatedError` if the file cannot be read, `Failure` if it holds no board.
  init(arguments: [String], options: [String], file: String?) throws {
    var entries = options.map { Entry(place: "--board", text: $0) }
    entries += arguments.map { Entry(place: "board", text: $0) }
    if let file {
      let lines = try BoardTexts.lines(of: file)
      if lines.isEmpty { throw Failure(.badData, "\(BoardTexts.name(of: file)): holds no board") }
      entries += lines
    }
    self.entries = entries
    areMany = file != nil || entries.count > 1
  }

  /// The board of an entry, on which a move is legal.
  ///
  /// - Throws: `Failure`.
  static func board(_ entry: Entry, rules: Rules) throws -> Board {
    let board: Board
    do {
      board = try Board(text: entry.text)
    } catch {
      throw Failure(.badData, "\(entry.place): \(error)")
    }
    guard rules.haveRoom(for: board) else {
      throw Failure(
        .badData, "\(entry.place): a tile lies outside the \(rules.size)x\(rules.size) board")
    }
    guard !rules.isOver(board) else {
      throw Failure(
        .badData, "\(entry.place): no move is legal on \(board.text): the game is over")
    }
    return board
  }

  private static func lines(of file: String) throws -> [Entry] {
    let data =
      try file == "-"
      ? TextFile.read(FileHandle.standardInput, name: name(of: file)) : TextFile.read(file)
    let lines = String(decoding: data, as: UTF8.self)
      .split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    return lines.enumerated().compactMap { number, line in
      let text = line.trimmingCharacters(in: .whitespaces)
      if text.isEmpty || text.hasPrefix("#") { return nil }
      return Entry(place: "\(name(of: file)), line \(number + 1)", text: text)
    }
  }

  private static func name(of file: String) -> String { file == "-" ? "standard input" : file }
}
