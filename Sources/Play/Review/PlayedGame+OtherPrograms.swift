import Basics
import Foundation
import Game2048

// Games in the files of other programs.

/// The content of a `.rpl` file of 2048EndgameTablebase.
///
/// All numbers are little-endian. A record of 25 bytes has, for each move,
/// ```
/// 8 bytes   the board before it: 16 exponents of 4 bits, the upper left one in the highest bits
/// 1 byte    bits 5-6 the move: left, right, up, down; bits 1-4 the cell of the new tile; bit 0 is 1 for a 4
/// 16 bytes  four success rates
/// ```
/// and a last one has 88 for the move and four fixed numbers. The score is not stored.
///
/// Source: `engine_core/replay_utils.py` of https://github.com/game-difficulty/2048EndgameTablebase.
struct EndgameReplay {
  private let content: [UInt8]

  private static let recordBytes = 25
  private static let end: [UInt8] =
    [88]
    + [UInt32(666_666_666), 233_333_333, 314_159_265, 987_654_321].flatMap(\.littleEndianBytes)

  /// Returns whether a file is one, by its last record.
  static func isReplay(_ content: Data) -> Bool {
    content.count % recordBytes == 0 && content.count > recordBytes
      && content.suffix(17) == Data(end)
  }

  /// - Precondition: ``isReplay(_:)``.
  init(_ content: Data) { self.content = Array(content) }

  /// The number of moves.
  var count: Int { content.count / EndgameReplay.recordBytes - 1 }

  /// Returns the board before a move.
  func board(_ index: Int) -> Board {
    let start = index * EndgameReplay.recordBytes
    // The highest bits are in the last byte.
    let bytes = content[start..<(start + 8)].reversed()
    return Board(exponents: bytes.flatMap { [Int($0 >> 4), Int($0 & 15)] })
  }

  /// Returns a move, and the cell and the exponent of the new tile after it.
  func move(_ index: Int) -> (direction: Direction, cell: Int, exponent: Int) {
    let byte = content[index * EndgameReplay.recordBytes + 8]
    let directions: [Direction] = [.left, .right, .up, .down]
    return (directions[Int(byte >> 5 & 3)], Int(byte >> 1 & 15), Int(byte & 1) + 1)
  }
}

extension PlayedGame {
  /// Creates the game of a `.rpl` file. Its score counts from the first board on.
  init(_ replay: EndgameReplay, name: String, rules: Rules) throws(LocatedError) {
    self.init(from: replay.board(0), rules: rules)
    for index in 0..<replay.count {
      let (direction, cell, exponent) = replay.move(index)
      var next = index + 1 < replay.count ? replay.board(index + 1) : board
      if index + 1 == replay.count {
        next = rules.move(board, direction)?.afterstate ?? board
        if next[cell] == 0 { next[cell] = exponent }
      }
      guard rules.haveRoom(for: next), append(next, direction: direction) else {
        let isPair = board.exponents.count { $0 == 15 } > 1
        throw LocatedError(
          .unsuitableData, path: name, place: "move \(index + 1)",
          "moving \(direction) does not lead from \(board.text) to \(next.text)",
          remedy: isPair
            ? "2048EndgameTablebase writes large tiles as 32768, which do not merge there; "
              + "review games that have one of them"
            : "copy the file again, and review games on 4x4 boards")
      }
    }
  }

  /// Creates the game of the browser game's saved state, which has one board, the score and no moves.
  ///
  /// Source: `grid.js` and `local_storage_manager.js` of https://github.com/gabrielecirulli/2048.
  init(savedState: JSONValue, name: String, rules: Rules) throws(LocatedError) {
    func error(_ problem: String, place: String? = nil) -> LocatedError {
      LocatedError(
        .unsuitableData, path: name, place: place, problem,
        remedy: "copy the value of gameState from the storage of the browser game")
    }
    // The whole storage has the state as a text.
    let state =
      savedState.object?["gameState"]?.string.flatMap { try? JSONParser.parse(Array($0.utf8)) }
      ?? savedState
    guard let members = state.object, let columns = members["grid"]?.object?["cells"]?.array,
      let score = members["score"]?.count, InputLimit.countOfEpisode.allows(score)
    else { throw error("is a JSON object without the grid and the score of a saved game") }
    guard columns.count == rules.size else {
      throw error("has a board of \(columns.count) columns, and the game has \(rules.size)")
    }
    var board = Board()
    for (x, column) in columns.enumerated() {
      guard let cells = column.array, cells.count == rules.size else {
        throw error("it does not have \(rules.size) cells", place: "column \(x + 1)")
      }
      for (y, cell) in cells.enumerated() where cell != .null {
        guard let tile = cell.object?["value"]?.count, let exponent = Board.exponent(ofTile: tile)
        else {
          throw error("\(cell.text) is not a tile", place: "column \(x + 1), row \(y + 1)")
        }
        board[4 * y + x] = exponent
      }
    }
    self.init(from: board, score: score, rules: rules)
  }
}
