import Game2048
import Testing

@testable import NTupleNetwork
@testable import Search

/// The board of these tests, which has rising and falling pairs, equal tiles, gaps, and the largest tile in a
/// corner.
///
///     exponents     tiles
///     2 1 0 3       4  2  .  8
///     3 1 2 0       8  2  4  .
///     4 0 2 1      16  .  4  2
///     1 5 3 6       2 32  8 64
private let mixed = Board(exponents: [2, 1, 0, 3, 3, 1, 2, 0, 4, 0, 2, 1, 1, 5, 3, 6])

@Test func emptyCellsAreCounted() {
  #expect(EmptyCells().value(of: mixed) == 3)
  #expect(EmptyCells().value(of: Board()) == 16)
  #expect(EmptyCells().value(of: Board(exponents: Array(repeating: 17, count: 16))) == 0)
}

@Test func monotonicityTakesTheMaximumOverAllLinesAtOnce() {
  // Rows:    rising  1-3 (across the gap), 1-2, 1-5, 3-6        -> increasing -2-1-4-3 = -10
  //          falling 2-1, 3-1, 4-2 (across the gap), 2-1, 5-3   -> decreasing -1-2-2-1-2 = -8
  // Columns: rising  2-3-4, 1-5, 2-3, 1-6                       -> increasing -1-1-4-1-5 = -12
  //          falling 4-1, 3-1 (across the gap)                  -> decreasing -3-2 = -5
  #expect(Monotonicity().value(of: mixed) == -8 + -5)
  // All rows rise (increasing -6 each) and no row falls, so the rows cost nothing.
  let rising = Board(exponents: [1, 3, 5, 7, 1, 3, 5, 7, 1, 3, 5, 7, 1, 3, 5, 7])
  #expect(Monotonicity().value(of: rising) == 0)
  // One row rises by 6 and another falls by 2: the maximum of -6 and -2, not 0 for each.
  let opposed = Board(exponents: [1, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9, 7, 0])
  #expect(Monotonicity().value(of: opposed) == -2)
}

@Test func smoothnessSumsDifferencesOfTileValues() {
  // Rows:    |4-2| + |8-2|+|2-4| + |4-2| + |2-32|+|32-8|+|8-64|  = 2+6+2+2+30+24+56 = 122
  // Columns: |4-8|+|8-16|+|16-2| + |2-2| + |4-4|+|4-8| + |2-64|  = 4+8+14+0+0+4+62 = 92
  #expect(Smoothness().value(of: mixed) == -(122 + 92))
  // The ends of two rows are not adjacent.
  #expect(Smoothness().value(of: Board(exponents: [0, 0, 0, 5, 1] + zeros(11))) == 0)
}

@Test func largestTileAndItsCorner() {
  #expect(MaxTile().value(of: mixed) == 64)
  #expect(MaxTile().value(of: Board()) == 0)
  #expect(MaxTile().value(of: Board(exponents: zeros(5) + [17, 15] + zeros(9))) == 131_072)
  #expect(MaxTile().value(of: Board(exponents: zeros(5) + [16, 15] + zeros(9))) == 65_536)

  #expect(MaxTileInCorner().value(of: mixed) == 1)
  for cell in 0..<16 {
    var board = Board(exponents: Array(repeating: 3, count: 16))
    board[cell] = 4
    #expect(MaxTileInCorner().value(of: board) == ([0, 3, 12, 15].contains(cell) ? 1 : 0))
    // It suffices that one of two largest tiles is in a corner.
    board[15] = 4
    #expect(MaxTileInCorner().value(of: board) == 1)
  }
  // 65536 in the middle is larger than the 32768 in the corner, though its low planes are empty.
  #expect(MaxTileInCorner().value(of: Board(exponents: [15, 0, 0, 0, 0, 16] + zeros(10))) == 0)
  #expect(MaxTileInCorner().value(of: Board()) == 0)
}

@Test func snakesFollowTheirPath() {
  // 2·15 + 1·14 + 3·12 + 3·8 + 1·9 + 2·10 + 4·7 + 2·5 + 1·4 + 1·0 + 5·1 + 3·2 + 6·3
  let linear = 30 + 14 + 36 + 24 + 9 + 20 + 28 + 10 + 4 + 0 + 5 + 6 + 18
  #expect(SnakeLinear().value(of: mixed) == Double(linear))
  // 4·2^15 + 2·2^14 + 8·2^12,  8·2^8 + 2·2^9 + 4·2^10,  16·2^7 + 4·2^5 + 2·2^4,
  // 2·2^0 + 32·2^1 + 8·2^2 + 64·2^3
  let rows = [
    131_072 + 32_768 + 32_768, 2_048 + 1_024 + 4_096, 2_048 + 128 + 32, 2 + 64 + 32 + 512,
  ]
  #expect(SnakeExponential().value(of: mixed) == Double(rows.reduce(0, +)))
  let weights = [15, 14, 13, 12, 8, 9, 10, 11, 7, 6, 5, 4, 0, 1, 2, 3]
  for cell in 0..<16 {
    var board = Board()
    board[cell] = 17
    #expect(SnakeLinear().value(of: board) == Double(17 * weights[cell]))
    #expect(SnakeExponential().value(of: board) == Double(131_072 << weights[cell]))
  }
}

@Test func compositesWeighTheirParts() {
  let a = 1.0 * -13 + 0.1 * -214 + 2.7 * 3 + 1.0 * 1
  #expect(abs(CompositeA().value(of: mixed) - a) < 1e-9)
  let b = 1.0 * -13 + 0.1 * -214 + 5.7 * 3 + 1.0 * 64 + 1.0 * 1 + 204
  #expect(abs(CompositeB().value(of: mixed) - b) < 1e-9)
}

/// The evaluators that the documentation defines; there may be others.
private let definedNames = [
  "emptyCells", "monotonicity", "smoothness", "maxTileInCorner", "maxTile", "snakeLinear",
  "snakeExponential", "compositeA", "compositeB", "rowScore", "cornerChain",
]

@Test(arguments: definedNames)
func handTunedEvaluatorsLeaveRewardsOut(name: String) throws {
  #expect(try #require(EvaluatorName(rawValue: name)).evaluator.rewardWeight == 0)
}

@Test func twoEvaluatorsValueDeathAsTheirSourcesDo() {
  #expect(EvaluatorName.rowScore.evaluator.terminalValue == 0)
  #expect(EvaluatorName.cornerChain.evaluator.terminalValue == -524_288)
}

@Test(arguments: definedNames.filter { !["rowScore", "cornerChain"].contains($0) })
func deathIsWorseThanAnyBoard(name: String) throws {
  let evaluator = try #require(EvaluatorName(rawValue: name)).evaluator
  // Alternating 131072 and 2 is the roughest possible board.
  let checkered = (0..<16).map { ($0 + $0 / 4) % 2 == 0 ? 17 : 1 }
  let boards = [Board(), mixed, Board(exponents: checkered)]
  for board in boards { #expect(evaluator.value(of: board) > evaluator.terminalValue) }
}

@Test func namesAreThoseOfTheCommandLine() {
  let defined = definedNames.compactMap { EvaluatorName(rawValue: $0) }
  #expect(defined.map(\.rawValue) == definedNames)
  #expect(EvaluatorName(rawValue: "rowscore") == nil && EvaluatorName(rawValue: "") == nil)
  // Every name selects a different evaluator: all values of a board differ.
  #expect(Set(defined.map { $0.evaluator.value(of: mixed) }).count == defined.count)
  #expect(Set(EvaluatorName.allCases.map(\.rawValue)).count == EvaluatorName.allCases.count)
}

private func zeros(_ count: Int) -> [Int] { Array(repeating: 0, count: count) }
