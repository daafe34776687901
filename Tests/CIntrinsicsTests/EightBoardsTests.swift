import CIntrinsics
import Game2048
import TestSupport
import Testing

@Suite struct EightBoardsTests {
  @Test(arguments: [2, 3, 4])
  func eightBoardsMoveAsOneDoes(size: Int) {
    let rules = Rules(size: size)
    var boards = RandomBoards(seed: 9, size: size)
    var source = Xoshiro256(seed: 8)
    var points = 0
    for number in 0..<10_000 {
      var planes = [UInt64](repeating: 0, count: 8)
      for place in 0..<8 {
        let board = number % 2 == 0 ? boards.next() : boards.next(exponents: 0...3)
        if board.fitsFourPlanesAfterAnyMove { planes[place] = board.planes }
      }
      let moves = (0..<8).map { _ in source.next() % 4 }
      let before = planes
      let legal = unsafe ci_legal_moves_of_eight(planes, rules.cells)
      var rewards = planes
      #expect(unsafe ci_slide_eight(&planes, moves, &rewards, Int32(size)) == 1)
      for place in 0..<8 {
        let board = Board(planes: before[place])
        let expected = rules.slide(board, move: Int(moves[place]))
        #expect(planes[place] == expected.afterstate.planes)
        #expect(rewards[place] == UInt64(expected.reward))
        #expect(UInt8(legal >> UInt64(8 * place) & 0xFF) == rules.legalMoves(from: board))
        points += Int(expected.reward)
      }
      // Two tiles of 32768 may merge.
      planes[number % 8] = Board(exponents: [15, 15] + [Int](repeating: 0, count: 14)).planes
      let after = planes
      #expect(unsafe ci_slide_eight(&planes, moves, &rewards, Int32(size)) == 0)
      #expect(planes == after)
    }
    #expect(points > 100_000)
  }
}
