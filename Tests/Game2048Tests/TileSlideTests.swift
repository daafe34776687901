import TestSupport
import Testing

@testable import Game2048

@Suite struct TileSlideTests {
  @Test func tilesThatMergeGoToTheSameCell() {
    // 2 2 4 . slides left to 4 4 . .
    let board = Board(exponents: [1, 1, 2, 0] + Array(repeating: 0, count: 12))
    let slides = Rules.standard.slides(on: board, .left)
    #expect(slides.map(\.origin) == [0, 1, 2])
    #expect(slides.map(\.destination) == [0, 0, 1])
  }

  @Test func aTileMergesOnceInAMove() {
    // Three 2 in a column: downwards, the lower two merge.
    var board = Board()
    for cell in [1, 5, 9] { board[cell] = 1 }
    let slides = Rules.standard.slides(on: board, .down)
    let destinations = Dictionary(uniqueKeysWithValues: slides.map { ($0.origin, $0.destination) })
    #expect(destinations == [9: 13, 5: 13, 1: 9])
  }

  @Test(arguments: [2, 3, 4])
  func slidTilesMakeUpTheAfterstate(size: Int) {
    let rules = Rules(size: size)
    var boards = RandomBoards(seed: 5, size: size)
    var wrong = 0
    for _ in 0..<5_000 {
      let board = boards.next()
      for direction in Direction.allCases {
        var tiles = [Int](repeating: 0, count: Board.cellCount)
        for slide in rules.slides(on: board, direction) {
          tiles[slide.destination] += 1 << board[slide.origin]
        }
        if tiles != rules.moves(from: board).afterstate(direction).tiles { wrong += 1 }
      }
    }
    #expect(wrong == 0)
  }
}
