import TestSupport
import Testing

@testable import Game2048

@Suite struct MoveTests {
  /// Returns the number of moves in which the rules and the reference differ.
  private func differences(_ rules: Rules, _ board: Board) -> Int {
    let game = ReferenceGame(size: rules.size)
    let tiles = game.tiles(of: board)
    let moves = rules.moves(from: board)
    var wrong = 0
    for direction in Direction.allCases {
      let expected = game.slide(tiles, direction)
      let after = game.board(of: expected.tiles)
      if moves.afterstate(direction) != after { wrong += 1 }
      if moves.reward(direction) != expected.points { wrong += 1 }
    }
    return wrong
  }

  @Test(arguments: [(2, 20_000), (3, 40_000), (4, 60_000)])
  func movesAgreeWithTheReference(size: Int, count: Int) {
    let rules = Rules(size: size)
    var boards = RandomBoards(seed: 1, size: size)
    var wrong = 0
    for _ in 0..<count { wrong += differences(rules, boards.next()) }
    #expect(wrong == 0)
  }

  @Test(arguments: [2, 3, 4])
  func movesOfVeryLargeTilesAgreeWithTheReference(size: Int) {
    let rules = Rules(size: size)
    var boards = RandomBoards(seed: 2, size: size)
    var wrong = 0
    var beyondFourPlanes = 0
    for _ in 0..<10_000 {
      for board in [boards.nextLarge(), boards.next(exponents: 13...16)] {
        wrong += differences(rules, board)
        if !board.fitsFourPlanesAfterAnyMove { beyondFourPlanes += 1 }
      }
    }
    #expect(wrong == 0)
    #expect(beyondFourPlanes > 8_000)
  }

  @Test func everyLineOfFourCellsMovesAsTheReferenceSays() {
    let rules = Rules.standard
    var wrong = 0
    for line in 0..<(15 * 15 * 15 * 15) {
      var exponents = [Int](repeating: 0, count: 16)
      var rest = line
      for cell in 4..<8 {
        exponents[cell] = rest % 15
        rest /= 15
      }
      let board = Board(exponents: exponents)
      let game = ReferenceGame()
      let moves = rules.moves(from: board)
      for direction in [Direction.left, .right] {
        let expected = game.slide(game.tiles(of: board), direction)
        if moves.afterstate(direction).tiles != expected.tiles { wrong += 1 }
        if moves.reward(direction) != expected.points { wrong += 1 }
      }
    }
    #expect(wrong == 0)
  }

  @Test(arguments: [2, 3, 4])
  func legalityAgreesWithTheReference(size: Int) {
    let rules = Rules(size: size)
    let game = ReferenceGame(size: size)
    var boards = RandomBoards(seed: 3, size: size)
    var wrong = 0
    var over = 0
    for _ in 0..<5_000 {
      for board in [boards.next(), boards.next(exponents: 1...17), boards.nextLarge()] {
        let tiles = game.tiles(of: board)
        let legal = Direction.allCases.filter { game.move(tiles, $0) != nil }
        if rules.legalDirections(from: board) != legal { wrong += 1 }
        if rules.isOver(board) != legal.isEmpty { wrong += 1 }
        for direction in Direction.allCases {
          let move = rules.move(board, direction)
          let expected = game.move(tiles, direction)
          if move?.reward != expected?.points { wrong += 1 }
          if move?.afterstate != expected.map({ game.board(of: $0.tiles) }) { wrong += 1 }
        }
        if legal.isEmpty { over += 1 }
      }
    }
    #expect(wrong == 0)
    #expect(over > 100)
  }
}
