import TestSupport
import Testing

@testable import Game2048

/// Tests with moves worked out by hand.
@Suite struct WorkedBoardTests {
  private let rules = Rules.standard
  private let game = ReferenceGame()

  @Test func left() throws {
    let board = game.board("2 0 4 0 / 0 0 2 0 / 0 2 0 4 / 4 4 0 2")
    let move = try #require(rules.move(board, .left))
    #expect(move.reward == 8)
    #expect(move.afterstate == game.board("2 4 0 0 / 2 0 0 0 / 2 4 0 0 / 8 2 0 0"))
  }

  @Test func right() throws {
    let board = game.board("2 2 4 4 / 0 2 0 2 / 4 4 4 4 / 0 0 0 2")
    let move = try #require(rules.move(board, .right))
    #expect(move.reward == 32)
    #expect(move.afterstate == game.board("0 0 4 8 / 0 0 0 4 / 0 0 8 8 / 0 0 0 2"))
  }

  @Test func upAndDown() throws {
    let board = game.board("2 2 0 4 / 4 4 2 2 / 2 2 4 4 / 4 0 4 0")
    let up = try #require(rules.move(board, .up))
    #expect(up.reward == 8)
    #expect(up.afterstate == game.board("2 2 2 4 / 4 4 8 2 / 2 2 0 4 / 4 0 0 0"))
    let down = try #require(rules.move(board, .down))
    #expect(down.reward == 8)
    #expect(down.afterstate == game.board("2 0 0 0 / 4 2 0 4 / 2 4 2 2 / 4 2 8 4"))
  }

  @Test(arguments: [
    ("2 2 2 0", "4 2 0 0", "0 0 2 4", 4), ("4 4 4 4", "8 8 0 0", "0 0 8 8", 16),
    ("2 2 4 8", "4 4 8 0", "0 4 4 8", 4), ("2 0 0 2", "4 0 0 0", "0 0 0 4", 4),
    ("4 2 2 0", "4 4 0 0", "0 0 4 4", 4), ("2 2 2 2", "4 4 0 0", "0 0 4 4", 8),
    ("0 8 8 8", "16 8 0 0", "0 0 8 16", 16), ("2 4 2 4", "2 4 2 4", "2 4 2 4", 0),
    ("16384 16384 0 0", "32768 0 0 0", "0 0 0 32768", 32768),
    ("32768 32768 0 0", "65536 0 0 0", "0 0 0 65536", 65536),
    ("65536 0 0 65536", "131072 0 0 0", "0 0 0 131072", 131_072),
    ("32768 32768 32768 32768", "65536 65536 0 0", "0 0 65536 65536", 131_072),
    ("32768 32768 65536 2", "65536 65536 2 0", "0 65536 65536 2", 65536),
    ("65536 32768 0 65536", "65536 32768 65536 0", "0 65536 32768 65536", 0),
    ("131072 131072 0 0", "131072 131072 0 0", "0 0 131072 131072", 0),
    ("131072 0 131072 131072", "131072 131072 131072 0", "0 131072 131072 131072", 0),
    ("65536 65536 131072 2", "131072 131072 2 0", "0 131072 131072 2", 131_072),
    ("131072 65536 32768 16384", "131072 65536 32768 16384", "131072 65536 32768 16384", 0),
  ])
  func lines(line: String, left: String, right: String, points: Int) {
    let empty = " / 0 0 0 0 / 0 0 0 0 / 0 0 0 0"
    let rows = game.board(line + empty)
    let moves = rules.moves(from: rows)
    #expect(moves.afterstate(.left) == game.board(left + empty))
    #expect(moves.afterstate(.right) == game.board(right + empty))
    #expect(moves.reward(.left) == points)
    #expect(moves.reward(.right) == points)
    // The same line as a column.
    let transpose = ReferenceSymmetry(4)
    let columns = rules.moves(from: transpose.image(of: rows))
    #expect(columns.afterstate(.up) == transpose.image(of: game.board(left + empty)))
    #expect(columns.afterstate(.down) == transpose.image(of: game.board(right + empty)))
    #expect(columns.reward(.up) == points)
    #expect(columns.reward(.down) == points)
  }

  @Test func anIllegalMoveIsNil() {
    let board = game.board("2 0 0 0 / 4 0 0 0 / 0 0 0 0 / 0 0 0 0")
    #expect(rules.move(board, .left) == nil)
    #expect(rules.move(board, .up) == nil)
    #expect(rules.legalDirections(from: board) == [.down, .right])
    #expect(rules.moves(from: board).afterstate(.left) == board)
    #expect(rules.moves(from: board).reward(.left) == 0)
  }

  @Test func aFullBoardIsOverOnlyWithoutEqualNeighbours() {
    #expect(rules.isOver(game.board("2 4 2 4 / 4 2 4 2 / 2 4 2 4 / 4 2 4 2")))
    #expect(!rules.isOver(game.board("2 4 2 4 / 4 2 4 2 / 2 4 2 4 / 4 2 4 4")))
    #expect(!rules.isOver(game.board("2 4 2 4 / 4 2 4 2 / 2 4 2 4 / 4 2 4 0")))
    #expect(!rules.isOver(game.board("2 4 2 65536 / 4 2 4 65536 / 2 4 2 4 / 4 2 4 2")))
    #expect(rules.isOver(game.board("2 4 2 65536 / 4 2 4 131072 / 2 4 2 4 / 4 2 4 2")))
    #expect(rules.isOver(game.board("2 4 131072 131072 / 4 2 4 131072 / 2 4 2 4 / 4 2 4 2")))
    #expect(Rules(size: 2).isOver(ReferenceGame(size: 2).board("2 4 / 4 2")))
    #expect(!Rules(size: 2).isOver(ReferenceGame(size: 2).board("2 4 / 4 4")))
  }
}
