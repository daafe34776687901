import Game2048
import TestSupport
import Testing

@testable import NTupleNetwork
@testable import Search

/// Returns the score of a line by its definition, from its first cell.
private func lineScore(_ line: [Int]) -> Double {
  let worths = line.map { Double($0) * Double(1 << $0) }
  var score = worths[0]
  for (a, b) in zip(worths, worths.dropFirst()) {
    if a > b { score += a + b } else if a == b { score += 3 * a } else { score += 12 * (a - b) }
  }
  return score
}

private func reference(_ board: Board) -> Double {
  let e = board.exponents
  let rows = (0..<4).map { Array(e[(4 * $0)..<(4 * $0 + 4)]) }
  let columns = (0..<4).map { column in (0..<4).map { e[4 * $0 + column] } }
  func best(_ lines: [[Int]]) -> Double {
    max(
      lines.map(lineScore).reduce(0, +), lines.map { lineScore($0.reversed()) }.reduce(0, +))
  }
  return best(rows) + best(columns)
}

@Test func cornerChainOfABoardWorkedByHand() {
  // 3 2 0 0 / 2 2 0 0 / zeros: w(3) = 24, w(2) = 8.
  // Row 0 from the left: 24 + (24 + 8) + (8 + 0) + 0 = 64; row 1: 8 + 24 + 8 = 40.
  // Column 0 from the top: 24 + 32 + 8 = 64; column 1: 8 + 24 + 8 = 40.
  let board = Board(exponents: [3, 2, 0, 0, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])
  #expect(CornerChain().value(of: board) == 64 + 40 + 64 + 40)
  // . . . 3 / 10 . . . / zeros: the rows are read from the left, where the 10 stands, and the columns from the top.
  // Row 0: 12 · (0 − 24); row 1: w(10) + w(10); column 0: 12 · (0 − w(10)) + w(10); column 3: 24 + 24.
  let uneven = Board(exponents: [0, 0, 0, 3, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])
  #expect(CornerChain().value(of: uneven) == (-288 + 20_480) + (-122_880 + 10_240 + 48))
}

@Test(arguments: [5, 11, 15, 17])
func cornerChainEqualsItsDefinition(largestExponent: Int) {
  for board in SampleBoards.random(2_000, largestExponent: largestExponent) {
    let (value, expected) = (CornerChain().value(of: board), reference(board))
    #expect(abs(value - expected) <= 1e-6 * max(1e6, abs(expected)), "\(board)")
  }
}

@Test func onlySearchesFromBoardsInOrderGiveBoardsUp() {
  // 2 · w(10) is the value of a 1024 in the corner: it starts a row and a column, and falls along both.
  let corner = Board(exponents: [10] + Array(repeating: 0, count: 15))
  #expect(CornerChain().value(of: corner) == 4 * 10_240)
  #expect(CornerChain().hopelessValue(from: corner) == 2 * 10_240)
  let between = Board(exponents: [0, 10] + Array(repeating: 0, count: 14))
  #expect(CornerChain().value(of: between) < 0)
  #expect(CornerChain().hopelessValue(from: between) == -.infinity)
  #expect(RowScore().hopelessValue(from: corner) == -.infinity)
}

@Test func cornerChainIsSymmetric() {
  for board in SampleBoards.random(200, largestExponent: 15) {
    let value = CornerChain().value(of: board)
    for image in 0..<8 {
      let turned = Rules.standard.symmetries.image(image, of: board)
      #expect(abs(CornerChain().value(of: turned) - value) <= 1)
    }
  }
}
