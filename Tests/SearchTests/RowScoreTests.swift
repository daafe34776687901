import Foundation
import Game2048
import TestSupport
import Testing

@testable import NTupleNetwork
@testable import Search

/// Returns the score of a line by its definition.
private func lineScore(_ line: [Int]) -> Double {
  var rising = 0
  var falling = 0
  for (left, right) in zip(line, line.dropFirst()) {
    let difference = power4(right) - power4(left)
    if difference > 0 { rising += difference } else { falling -= difference }
  }
  let tiles = line.filter { $0 > 0 }
  var merges = 0
  for run in Dictionary(grouping: tiles.indices, by: { runStart(of: $0, in: tiles) }).values
  where run.count >= 2 { merges += run.count }
  let powers = line.map { pow(Double($0), 3.5) }.reduce(0, +)
  return 200_000 + 270 * Double(line.count - tiles.count) + 700 * Double(merges)
    - 47 * Double(min(rising, falling)) - 11 * powers
}

private func power4(_ exponent: Int) -> Int { exponent * exponent * exponent * exponent }

private func runStart(of place: Int, in tiles: [Int]) -> Int {
  var start = place
  while start > 0, tiles[start - 1] == tiles[place] { start -= 1 }
  return start
}

private func reference(_ board: Board) -> Double {
  let e = board.exponents
  return (0..<4).reduce(0) { sum, line in
    sum + lineScore([e[4 * line], e[4 * line + 1], e[4 * line + 2], e[4 * line + 3]])
      + lineScore([e[line], e[line + 4], e[line + 8], e[line + 12]])
  }
}

@Test func rowScoreOfABoardWorkedByHand() {
  // 2 1 0 3   row 0: 1 empty, fourth powers 16 1 0 81,    fall 16, rise 81      -> min 16
  // 3 1 2 0   row 1: 1 empty, fourth powers 81 1 16 0,    fall 96, rise 15      -> min 15
  // 4 0 2 1   row 2: 1 empty, fourth powers 256 0 16 1,   fall 271, rise 16     -> min 16
  // 1 5 3 6   row 3: none,    fourth powers 1 625 81 1296, fall 544, rise 1839  -> min 544
  // column 0, 2 3 4 1: fall 255, rise 240 -> min 240
  // column 1, 1 1 0 5: 1 empty, a run of two, fall 1, rise 625 -> min 1
  // column 2, 0 2 2 3: 1 empty, a run of two, fall 0 -> min 0
  // column 3, 3 0 1 6: 1 empty, fall 81, rise 1 + 1295 -> min 81
  let board = Board(exponents: [2, 1, 0, 3, 3, 1, 2, 0, 4, 0, 2, 1, 1, 5, 3, 6])
  let mono = (16 + 15 + 16 + 544) + (240 + 1 + 0 + 81)
  let powers = 4 * 1 + 3 * pow(2, 3.5) + 3 * pow(3, 3.5) + pow(4, 3.5) + pow(5, 3.5) + pow(6, 3.5)
  let expected = Double(8 * 200_000 + 6 * 270 + 4 * 700 - 47 * mono) - 11 * 2 * powers
  #expect(abs(RowScore().value(of: board) - expected) < 1e-6)
}

@Test func rowScoreOfTilesAbove32768WorkedByHand() {
  // 17 16 0 0 / zeros: row 0 falls by 17^4 in all and does not rise; the columns have one tile each.
  var board = Board()
  board[0] = 17
  board[1] = 16
  let powers = pow(17, 3.5) + pow(16, 3.5)
  var expected = Double(8 * 200_000 + (14 + 14) * 270) - 11 * 2 * powers
  #expect(abs(RowScore().value(of: board) - expected) < 1e-6)
  // A further 17 below makes a run across the gap; column 0 is then 17 0 0 17.
  board[12] = 17
  expected = Double(8 * 200_000 + (13 + 13) * 270 + 2 * 700 - 47 * 83_521)
  expected -= 11 * 2 * (powers + pow(17, 3.5))
  #expect(abs(RowScore().value(of: board) - expected) < 1e-6)
}

@Test(arguments: [5, 11, 15, 17])
func rowScoreEqualsItsDefinition(largestExponent: Int) {
  let evaluator = RowScore()
  for board in SampleBoards.random(2_000, largestExponent: largestExponent) {
    #expect(abs(evaluator.value(of: board) - reference(board)) < 1e-6)
  }
}

@Test func rowScoreCountsWholeRuns() {
  for line in [
    [3, 3, 0, 0], [3, 0, 3, 3], [2, 2, 2, 2], [4, 4, 1, 1], [5, 1, 5, 1], [1, 0, 0, 1],
  ] {
    let board = Board(exponents: line + Array(repeating: 0, count: 12))
    #expect(abs(RowScore().value(of: board) - reference(board)) < 1e-6)
  }
}

@Test func rowScoreIsSymmetric() {
  let symmetries = Rules.standard.symmetries
  for board in SampleBoards.random(200, largestExponent: 17) {
    let value = RowScore().value(of: board)
    for image in 0..<8 {
      #expect(abs(RowScore().value(of: symmetries.image(image, of: board)) - value) < 1e-6)
    }
  }
}
