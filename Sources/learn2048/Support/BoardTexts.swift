import Basics
import Foundation
import Game2048

/// The texts of the boards on a command line or in a file, each with its place.
struct BoardTexts {
  struct Entry {
    /// The place of the text for messages, such as `boards.txt, line 3`.
    let place: String
    let text: String
  }

  let entries: [Entry]
  /// Whether results are printed as a list: for a file, or several boards.
  let areMany: Bool

  /// Collects the texts.
  ///
  /// - Parameter file: a file with one board per line; `-` for standard input.
  /// - Throws: `LocatedError` if the file cannot be read, `Failure` if it holds no board.
  init(arguments: [String], options: [String], file: String?) throws {
    var entries = options.map { Entry(place: "--board", text: $0) }
    entries += arguments.map { Entry(place: "board", text: $0) }
    if let file {
      let lines = try BoardTexts.lines(of: file)
      if lines.isEmpty {
        throw Failure(.badData, "\(BoardTexts.name(of: file)): no board. Write one board per line.")
      }
      entries += lines
    }
    self.entries = entries
    areMany = file != nil || entries.count > 1
  }

  /// Returns the board of an entry.
  ///
  /// - Throws: `Failure` if the text is not a board, or no move is legal.
  static func board(_ entry: Entry, rules: Rules) throws -> Board {
    let board: Board
    do {
      board = try Board(text: entry.text)
    } catch {
      throw Failure(.badData, sentence("\(entry.place): \(error)"))
    }
    guard rules.haveRoom(for: board) else {
      throw Failure(
        .badData,
        "\(entry.place): a tile lies outside the \(rules.size)x\(rules.size) board of the model.")
    }
    guard !rules.isOver(board) else {
      throw Failure(
        .badData, "\(entry.place): no move is legal on \(board.text). The game is over.")
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
