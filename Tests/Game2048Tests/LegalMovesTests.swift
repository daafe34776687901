import Testing

@testable import Game2048

/// One move, and the mask of legal moves, which are computed without all four moves.
@Suite struct LegalMovesTests {
  @Test(arguments: [2, 3, 4])
  func agreeWithAllFourMoves(size: Int) {
    let rules = Rules(size: size)
    var source = Xoshiro256(seed: 7)
    for number in 0..<20_000 {
      // Boards of few different tiles have many merges; every fourth has tiles beyond the four planes.
      let largest: UInt64 = number % 4 == 0 ? 17 : 3
      var board = Board()
      for cell in 0..<16 where rules.cells >> UInt16(cell) & 1 == 1 {
        board[cell] = source.next() % 3 == 0 ? 0 : Int(source.next() % (largest + 1))
      }
      let moves = rules.moves(from: board)
      #expect(rules.legalMoves(from: board) == moves.legalMoves(from: board))
      for move in 0..<4 {
        let (afterstate, reward) = rules.slide(board, move: move)
        #expect(afterstate == moves.afterstate(ofMove: move))
        #expect(reward == moves.rewards[move])
      }
    }
  }
}
