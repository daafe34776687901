import Game2048
import Testing

@testable import Commands

@Suite("Drawn boards")
struct BoardViewTests {
  private let board: Board

  init() throws {
    board = try Board(text: "10000B0000H00007")
  }

  @Test("compact, without colours")
  func compact() {
    #expect(
      BoardView(depth: .none, isLarge: false).lines(board) == [
        "|   2    |        |        |        |",
        "|        |  2048  |        |        |",
        "|        |        | 131072 |        |",
        "|        |        |        |  128   |",
      ])
  }

  @Test("tiles are narrower on a narrow terminal, with room for the largest")
  func narrow() {
    #expect(
      BoardView(depth: .none, isLarge: false, tileWidth: 6).lines(board) == [
        "|  2   |      |      |      |",
        "|      | 2048 |      |      |",
        "|      |      |131072|      |",
        "|      |      |      | 128  |",
      ])
    for (columns, width) in [(1, 6), (29, 6), (33, 7), (37, 8), (200, 8)] {
      #expect(BoardView.tileWidth(size: 4, columns: columns) == width)
    }
    #expect(BoardView.tileWidth(size: 2, columns: 19) == 8)
  }

  @Test("large, without colours")
  func large() {
    let rule = "-------------------------------------"
    let empty = "|        |        |        |        |"
    #expect(
      BoardView(depth: .none, isLarge: true).lines(board) == [
        rule, empty, "|   2    |        |        |        |", empty,
        rule, empty, "|        |  2048  |        |        |", empty,
        rule, empty, "|        |        | 131072 |        |", empty,
        rule, empty, "|        |        |        |  128   |", empty,
        rule,
      ])
  }

  @Test("a smaller board has its own cells only")
  func small() throws {
    let board = try Board(text: "1200030000000000")
    #expect(
      BoardView(depth: .none, isLarge: false, size: 2).lines(board) == [
        "|   2    |   4    |", "|        |   8    |",
      ])
  }

  @Test(
    "colours change no text and end on every line", arguments: [ColorDepth.palette256, .trueColor])
  func colours(depth: ColorDepth) {
    for isLarge in [false, true] {
      let plain = BoardView(depth: .none, isLarge: isLarge).lines(board)
      let coloured = BoardView(depth: depth, isLarge: isLarge).lines(board)
      #expect(coloured.count == plain.count)
      for (line, plainLine) in zip(coloured, plain) {
        #expect(line.hasSuffix("\u{1B}[0m"))
        // Gaps are coloured spaces; without colours they are lines.
        let blank = plainLine.replacing("|", with: " ").replacing("-", with: " ")
        #expect(withoutSequences(line) == blank)
      }
    }
  }

  @Test("a tile is drawn in its colours")
  func tileColours() {
    let line = BoardView(depth: .trueColor, isLarge: false).lines(board)[1]
    let select = ColorDepth.trueColor.select(
      text: .text(exponent: 11), background: .background(exponent: 11))
    #expect(line.contains("\(select)  2048  \u{1B}[0m"))
  }
}

/// Returns a line without control sequences.
func withoutSequences(_ line: String) -> String {
  line.replacing(#/\u{1B}\[[0-9;]*m/#, with: "")
}
