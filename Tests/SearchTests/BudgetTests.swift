import Game2048
import NTupleNetwork
import TestSupport
import Testing

@testable import Search

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

private let boards = SampleBoards.random(60, largestExponent: 8).filter {
  !Rules.standard.isOver($0)
}

@Test(arguments: [1, 100, 5_000])
func aSearchKeepsToItsNodes(limit: Int) throws {
  let search = Expectimax(smallNetwork(), settings: try searchSettings("nodes=\(limit)"))
  for board in boards {
    let result = search.search(board)
    // The first pass of at most 4 nodes is always completed. A last ply of at most 120 leaves and one
    // afterstate per layer above it may exceed the limit.
    #expect(result.nodes <= max(limit, 4) + 150)
    let best = try #require(result.best)
    #expect(Rules.standard.legalDirections(from: board).contains(best))
  }
}

// Without cancellation, each of these searches would visit more than a million nodes.
// Promise: The page is for those who may see it
@Test(arguments: ["depth=6,table=0", "nodes=1e9", "time=1e6,threads=2"])
func aCancelledSearchEndsAtOnce(options: String) throws {
  let search = Expectimax(smallNetwork(), settings: try searchSettings(options))
  let cancellation = SearchCancellation()
  cancellation.cancel()
  let board = try Board(text: "1230402302346003")
  SearchCancellation.$current.withValue(cancellation) {
    #expect(search.search(board).nodes < 5_000)
  }
}

@Test func aSearchAfterACancelledOneIsComplete() throws {
  let settings = try searchSettings("depth=3,table=64K")
  let search = Expectimax(smallNetwork(), settings: settings)
  let board = try Board(text: "1230402302346003")
  let cancellation = SearchCancellation()
  cancellation.cancel()
  _ = SearchCancellation.$current.withValue(cancellation) { search.search(board) }
  let expected = Expectimax(smallNetwork(), settings: settings).search(board)
  #expect(search.search(board).values == expected.values)
  // Not cancelled, it is not disturbed.
  SearchCancellation.$current.withValue(SearchCancellation()) {
    #expect(search.search(board).values == expected.values)
  }
}

@Test func nodesMakeASearchRepeatable() throws {
  func play() throws -> [SearchResult] {
    let search = Expectimax(smallNetwork(), settings: try searchSettings("nodes=3000,table=64K"))
    return boards.map { search.search($0) }
  }
  for (a, b) in zip(try play(), try play()) {
    #expect(a.values == b.values && a.best == b.best && a.nodes == b.nodes && a.passes == b.passes)
  }
}

@Test func moreNodesSearchFurther() throws {
  let board = try Board(text: "1230402302346003")
  let passes = try [10, 1_000, 100_000].map { nodes in
    let result = Expectimax(smallNetwork(), settings: try searchSettings("nodes=\(nodes)")).search(
      board)
    return result.passes
  }
  #expect(passes[0] >= 1 && passes[0] < passes[1] && passes[1] < passes[2])
}

// From 4 plies, the same afterstate can occur at two depths. A search with a budget uses the entry of the
// deeper search in the table.
@Test(arguments: [("depth=2", 0), ("depth=3", 0), ("depth=4,table=0", 10)])
func aBudgetThatSufficesGivesThePlainSearch(options: String, fewestTiles: Int) throws {
  let network = smallNetwork()
  let plain = Expectimax(network, settings: try searchSettings(options))
  let budget = Expectimax(network, settings: try searchSettings("\(options),nodes=1e9"))
  let boards = boards.filter { $0.tileCount >= fewestTiles }.prefix(10)
  #expect(boards.count == 10)
  for board in boards {
    #expect(plain.search(board).values == budget.search(board).values)
    #expect(plain.search(board).best == budget.search(board).best)
  }
}

@Test func anyTimeYieldsALegalMove() throws {
  // A budget for one pass, a budget for several, and two threads.
  for text in ["time=0.01", "time=1", "time=1,threads=2", "time=1,table=0"] {
    let search = Expectimax(smallNetwork(), settings: try searchSettings(text))
    for board in boards.prefix(10) {
      let best = try #require(search.search(board).best)
      #expect(Rules.standard.legalDirections(from: board).contains(best))
    }
  }
}

@Test func aSearchUsesItsTime() throws {
  // Measured in CPU time, which excludes other programs, with a wide margin; benchmarks are more precise.
  for text in ["time=10", "time=10,threads=2"] {
    let search = Expectimax(RowScore(), settings: try searchSettings(text))
    let times = boards.prefix(9).map { board in
      let start = ProcessorTime.ofThread
      _ = search.search(board)
      return Double(ProcessorTime.ofThread - start) * 1e-6
    }.sorted()
    #expect(times[4] > 4 && times[4] < 20, "\(text): \(times)")
  }
}

@Test func budgetsAndDepthsHaveTheTableOfTheManual() throws {
  let sizes = [
    "depth=1": 0, "depth=2": 0, "depth=3": 65_536, "depth=4": 1_048_576, "depth=auto": 1_048_576,
    "depth=5": 16_777_216, "depth=8": 16_777_216, "time=1": 16_777_216, "nodes=5": 16_777_216,
    "depth=3,time=1": 16_777_216, "depth=3,table=2M": 2_097_152, "time=1,table=0": 0,
  ]
  for (text, size) in sizes {
    #expect(try searchSettings(text).tableSize == size, "\(text)")
  }
  #expect(try searchSettings("nodes=5").depth == .plies(16))
}

@Test func theThreadClockStandsStillInSleep() {
  let start = ProcessorTime.ofThread
  usleep(60_000)
  #expect(ProcessorTime.ofThread - start < 30_000_000)
}

@Test(arguments: [(0.9, true), (0.04, false)])
func aRememberedValueWasSearchedAboutAsFar(_ probability: Double, isTaken: Bool) throws {
  let board = try Board(text: "1230402302346003")
  let move = try #require(Rules.standard.move(board, .left))
  let search = Expectimax(
    RowScore(), settings: try searchSettings("depth=4,probability=0.01,table=1M"))
  let state = SearchState(
    pass: SearchPass(plies: 4, threshold: 0.01), hopelessValue: -.infinity,
    settings: search.settings, memory: search.memory)
  let table = try #require(state.table)
  table.store(
    move.afterstate.planes,
    TranspositionTable.Packed(
      value: 12_345, reach: state.reach(probability), layers: TranspositionTable.allLayers,
      generation: 0))
  #expect((search.evaluateMoves(board)[2].value == 12_345) == isTaken)
}

@Test func theNextMoveFindsWhatTheLastOneSearched() throws {
  let search = Expectimax(
    RowScore(), settings: try searchSettings("depth=8,probability=0.002,table=1M"))
  let board = try Board(text: "1230402302346003")
  let first = search.search(board)
  let again = search.search(board)
  #expect(again.nodes < first.nodes / 10)
  #expect(again.values == first.values)
  // After one move, part of the tree is already in the table.
  let direction = try #require(first.best)
  var next = try #require(Rules.standard.move(board, direction)).afterstate
  // A 2 in the first empty cell is probable enough to have been searched deeply.
  Rules.standard.spawn(on: &next, bits: 0xFFFF_FFFF_0000_0000)
  let fresh = Expectimax(RowScore(), settings: search.settings).search(next)
  #expect(search.search(next).nodes < fresh.nodes)
}
