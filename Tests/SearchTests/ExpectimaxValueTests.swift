import Game2048
import NTupleNetwork
import TestSupport
import Testing

@testable import Play
@testable import Search

/// Parses settings such as `depth=3,table=0`.
func searchSettings(_ text: String) throws -> SearchSettings {
  try #require(PlayerSpecification("heuristic:\(text)").search)
}

extension Expectimax {
  /// Returns the four moves with the values that a player of this search finds.
  func evaluateMoves(_ board: Board) -> [MoveEvaluation] {
    ExpectimaxPlayer(name: "", search: self).decide(on: board).moves
  }
}

/// Settings that must not change a value. The smallest table often replaces entries.
private let means = [
  "table=0", "table=128", "table=64K", "table=1M,threads=2", "table=0,threads=3",
]

/// Compares the values of all settings with those of the definition, move by move.
private func expectDefinedValues<E: Evaluator>(
  _ evaluator: E, plies: Int, boards: [Board], size: Int = 4, fourProbability: Double = 0.1
) throws {
  let rules = Rules(size: size, fourProbability: fourProbability)
  let reference = ReferenceSearch(evaluator: evaluator, fourProbability: fourProbability)
  let searches = try (plies == 1 ? [""] : means.map { "," + $0 }).map {
    Expectimax(evaluator, rules: rules, settings: try searchSettings("depth=\(plies)\($0)"))
  }
  for board in boards {
    let expected = reference.values(of: board.grid(size: size), plies: plies)
    let first = searches[0].evaluateMoves(board)
    #expect(first.map(\.direction) == Direction.allCases)
    for (move, expected) in zip(first, expected) {
      #expect(move.legal == (expected != nil))
      #expect((move.value == nil) == (expected == nil))
      if let value = move.value, let expected {
        #expect(abs(value - expected) <= 1e-6 * max(1, abs(expected)), "\(board.text)")
      }
    }
    let values = first.compactMap(\.value)
    let best = first.first { $0.value == values.max() && $0.legal }?.direction
    for search in searches {
      // The values are identical in every bit.
      #expect(search.evaluateMoves(board) == first, "\(search.settings), \(board.text)")
      #expect(search.search(board).best == best, "\(search.settings), \(board.text)")
    }
  }
}

/// Crowded boards, whose next states may be terminal, and boards with fewer tiles.
private func boards(crowded: Int, others: Int = 0, tiles: ClosedRange<Int> = 0...16) -> [Board] {
  let full = SampleBoards.random(800, largestExponent: 10).filter { $0.tileCount >= 12 }
  let random = SampleBoards.random(60, largestExponent: 15).filter { tiles ~= $0.tileCount }
  return Array(full.prefix(crowded)) + random.prefix(others)
}

@Test(arguments: 1...3)
func networkSearchEqualsItsDefinition(plies: Int) throws {
  try expectDefinedValues(
    smallNetwork(), plies: plies,
    boards: plies < 3
      ? boards(crowded: 40, others: 20) : boards(crowded: 5, others: 8, tiles: 8...11))
}

@Test(arguments: 1...3)
func handTunedSearchesEqualTheirDefinition(plies: Int) throws {
  struct Checker: EvaluatorVisitor {
    let plies: Int
    func visit(_ evaluator: some Evaluator) -> Result<Void, any Error> {
      Result {
        try expectDefinedValues(
          evaluator, plies: plies,
          boards: plies < 3
            ? boards(crowded: 20) : boards(crowded: 2, others: 2, tiles: 8...11))
      }
    }
  }
  for name in EvaluatorName.allCases { try name.visit(Checker(plies: plies)).get() }
}

@Test(arguments: 1...3)
func tilesBeyondFourPlanesAreSearched(plies: Int) throws {
  var source = RandomBoards(seed: 3)
  // Tiles from 65536, and two tiles 32768 that merge to one.
  let large = (0..<12).map { _ in source.nextLarge() }
  let boards =
    [try Board(text: "F1F2031020304050"), try Board(text: "FF10200030004000")]
    + (plies < 3 ? large[...] : large.filter { $0.tileCount >= 10 }.prefix(2))
  #expect(boards.contains { $0.highPlane == 0 && !$0.fitsFourPlanesAfterAnyMove })
  try expectDefinedValues(RowScore(), plies: plies, boards: boards)
  try expectDefinedValues(smallNetwork(), plies: plies, boards: boards)
}

@Test(arguments: [2, 3], 1...3)
func smallBoardsAreSearched(size: Int, plies: Int) throws {
  var source = RandomBoards(seed: 4, size: size)
  let boards = (0..<30).map { _ in source.next(exponents: 1...7) }
    .filter { size == 2 || plies < 3 || $0.tileCount >= 6 }
  try expectDefinedValues(smallNetwork(size: size), plies: plies, boards: boards, size: size)
  try expectDefinedValues(EmptyCells(), plies: plies, boards: boards, size: size)
}

@Test(arguments: [0, 0.5, 1], 2...3)
func oddsOfSpawnsComeFromTheRules(fourProbability: Double, plies: Int) throws {
  try expectDefinedValues(
    smallNetwork(), plies: plies, boards: boards(crowded: 4), fourProbability: fourProbability)
}

@Test func furtherSearchesAgreeWithAndWithoutMeans() throws {
  // Too deep for the definition, but not for a search without a table.
  let board = try Board(text: "1230402312346503")
  let plain = Expectimax(smallNetwork(), settings: try searchSettings("depth=4,table=0"))
  for text in ["table=128", "table=4K", "table=1M", "table=1M,threads=2", "table=0,threads=2"] {
    let search = Expectimax(smallNetwork(), settings: try searchSettings("depth=4,\(text)"))
    #expect(search.evaluateMoves(board) == plain.evaluateMoves(board), "\(text)")
  }
}

@Test func whatWasSearchedBeforeDoesNotMatterUnlessSomethingIsCut() throws {
  let used = Expectimax(RowScore(), settings: try searchSettings("depth=3,table=64K"))
  for board in SampleBoards.random(40, largestExponent: 6) {
    let fresh = Expectimax(RowScore(), settings: try searchSettings("depth=3,table=64K"))
    #expect(used.evaluateMoves(board) == fresh.evaluateMoves(board))
  }
}
