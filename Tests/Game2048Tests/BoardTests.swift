import TestSupport
import Testing

@testable import Game2048

@Suite struct BoardTests {
  @Test func subscriptsReadWhatWasWritten() {
    for cell in 0..<16 {
      for exponent in 0..<32 {
        var board = Board(exponents: (0..<16).map { ($0 * 7 + 3) % 18 })
        var expected = board.exponents
        board[cell] = exponent
        expected[cell] = exponent
        #expect(board[cell] == exponent)
        #expect(board.exponents == expected)
      }
    }
  }

  @Test func planesHoldTheBitsOfTheExponents() {
    var board = Board()
    board[3] = 0b0101
    board[15] = 0b1_0010
    #expect(board.planes == 1 << 3 | 1 << 35 | 1 << 31)
    #expect(board.highPlane == 1 << 15)
    #expect(Board(planes: board.planes, highPlane: board.highPlane) == board)
  }

  @Test func countsAndMasksAgreeWithTheTiles() {
    var boards = RandomBoards(seed: 31)
    for _ in 0..<2_000 {
      for board in [boards.next(exponents: 1...17), boards.nextLarge()] {
        let tiles = board.tiles
        let mask = (0..<16).reduce(UInt16(0)) { tiles[$1] == 0 ? $0 : $0 | 1 << UInt16($1) }
        #expect(board.occupied == mask)
        #expect(board.tileCount == tiles.filter { $0 != 0 }.count)
        let largest = tiles.max()!
        #expect((largest == 0 ? 0 : 1 << board.largestTileExponent) == largest)
        #expect(tiles == board.exponents.map { $0 == 0 ? 0 : 1 << $0 })
        let saturated = Board(planes: board.saturatedPlanes)
        #expect(saturated.exponents == board.exponents.map { min($0, 15) })
        let fifteens = board.exponents.filter { $0 == 15 }.count
        #expect(
          board.fitsFourPlanesAfterAnyMove
            == (board.largestTileExponent <= 15 && fifteens <= 1))
      }
    }
  }

  @Test func theEmptyBoardHoldsNothing() {
    #expect(Board().occupied == 0)
    #expect(Board().tileCount == 0)
    #expect(Board().largestTileExponent == 0)
    #expect(Board().tiles == [Int](repeating: 0, count: 16))
  }
}
