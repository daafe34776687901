import Basics
import Game2048
import NTupleNetwork
import Search
import TestSupport
import Testing

@testable import EndgameTables

@Suite struct EndgameTablesTests {
  private let directory: TemporaryDirectory
  private let tables: EndgameTables
  /// An edge, a second one, and two cells: 32 on the six others.
  private let shape = smallShapes[3]

  init() throws {
    directory = try TemporaryDirectory()
    for shape in [shape, smallShapes[0]] {
      _ = try TableBuilder(shape, directory: directory.path, threads: 1).build { _ in }
    }
    tables = EndgameTables(try EndgameTable.all(in: directory.path, target: .tile))
  }

  private func board(_ exponents: [Int]) -> Board { ReferenceSolver(shape).board(exponents) }

  @Test func everySymmetryHasTheSameAnswer() throws {
    let board = board([4, 3, 0, 0, 0, 0])
    let answer = try #require(tables.answer(to: board))
    #expect(answer.goal == 5 && answer.locked == shape.locked)
    let expected = ReferenceSolver(shape).probability(after: board)
    #expect(abs(answer.probability - expected) < 0.000_5 && expected > 0.01)
    for image in 0..<8 {
      let turned = Rules.standard.symmetries.image(image, of: board)
      #expect(tables.answer(to: turned)?.probability == answer.probability)
    }
  }

  @Test func onlyThePlacesOfLargeTilesCount() throws {
    var board = board([4, 3, 0, 0, 0, 0])
    let answer = try #require(tables.answer(to: board))
    // Other large tiles, one of them beyond four planes.
    for (cell, exponent) in zip(0..<8, [17, 9, 14, 13, 10, 11, 6, 8]) { board[cell] = exponent }
    for (cell, exponent) in [(8, 5), (12, 7)] { board[cell] = exponent }
    #expect(tables.answer(to: board) == answer)
  }

  @Test func otherBoardsHaveNoAnswer() {
    let known = board([4, 3, 0, 0, 0, 0])
    #expect(tables.answer(to: Board()) == nil)
    var equal = known
    equal[0] = equal[1]
    #expect(tables.answer(to: equal) == nil)
    var elsewhere = known
    elsewhere[10] = elsewhere[0]
    elsewhere[0] = 0
    #expect(tables.answer(to: elsewhere) == nil)
    // All cells are taken, which cannot be after a move.
    #expect(tables.answer(to: board([1, 2, 3, 4, 3, 2])) == nil)
  }

  @Test func theLargestGoalAnswers() throws {
    // Both tables could: twelve tiles from 16 on, ten of them from 32 on.
    var exponents = [Int](repeating: 0, count: 16)
    for (place, cell) in [0, 1, 2, 3, 4, 5, 6, 7, 8, 12].enumerated() {
      exponents[cell] = 5 + place
    }
    exponents[9] = 4
    let board = Board(exponents: exponents)
    #expect(tables.answer(to: board)?.goal == 5)
    #expect(tables.tables.map(\.shape.goal) == [5, 4])
  }

  @Test func cellsFromAnExponentOnAreThoseOfTheTiles() {
    var boards = RandomBoards(seed: 7)
    for _ in 0..<500 {
      let board = boards.next(exponents: 0...17)
      for exponent in 1...15 {
        let expected = (0..<16).reduce(UInt16(0)) {
          board[$1] >= exponent ? $0 | 1 << UInt16($1) : $0
        }
        #expect(board.cells(from: exponent) == expected)
      }
    }
  }

  @Test func aDirectoryWithoutTablesIsAnError() throws {
    let empty = try TemporaryDirectory()
    for path in [empty.path, empty.file("none")] {
      let error = #expect(throws: LocatedError.self) {
        try EndgameTable.all(in: path, target: .tile)
      }
      #expect(error?.kind == .missingInput)
    }
  }

  // MARK: Values

  @Test func valuesMixTheGoalAndTheLossByTheirProbability() throws {
    let evaluator = TableEvaluator(TileSum(), tables: tables)
    let board = board([4, 3, 0, 0, 0, 0])
    let probability = try #require(tables.answer(to: board)).probability
    // The locked tiles and a 32; the points of a 32 without those of 8 and 16.
    let locked = ReferenceSolver(shape).lockedBoard.tiles.reduce(0, +)
    let goal = Double(locked + 32) + 2 * Double(4 * 32 - (2 * 8 + 3 * 16))
    let expected = probability * goal + (1 - probability) * -500
    let value = evaluator.value(of: board)
    #expect(abs(value - expected) < 1e-6, "\(value), \(expected), \(probability)")
  }

  @Test func otherBoardsKeepTheirValues() {
    let evaluator = TableEvaluator(TileSum(), tables: tables)
    let known = Board(planes: board([4, 3, 0, 0, 0, 0]).planes)
    let unknown = Board(exponents: Array(repeating: 1, count: 15) + [0])
    #expect(evaluator.value(of: unknown) == 30)
    var values = [0.0, 0, 0]
    unsafe evaluator.write(
      valuesOfPlanes: [unknown.planes, known.planes, unknown.planes], count: 3, to: &values)
    #expect(values[0] == 30 && values[1] == evaluator.value(of: known) && values[2] == 30)
    #expect(evaluator.terminalValue == -500 && evaluator.rewardWeight == 2)
    #expect(evaluator.hopelessValue(from: known) == -400)
  }

  /// The sum of the tiles.
  private struct TileSum: Evaluator {
    var rewardWeight: Double { 2 }
    var terminalValue: Double { -500 }

    func hopelessValue(from board: Board) -> Double { -400 }

    func value(of afterstate: Board) -> Double { Double(afterstate.tiles.reduce(0, +)) }
  }
}
