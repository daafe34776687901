import Game2048
import Testing

@testable import EndgameTables

@Suite struct TableCensusTests {
  /// Six different tiles from 512 on: an edge and two cells beside it.
  private let board = Board(exponents: [14, 13, 12, 11, 9, 10, 0, 3, 1, 5, 2, 0, 0, 0, 1, 0])

  @Test func setsOfCellsReadAsTheyAreWritten() {
    for text in ["####/##../..../....", "#.#./..../...#/...."] {
      #expect(CellSet(text)?.description == text)
    }
    for text in ["", "####", "####/####/####/###", "####/##../..../...x"] {
      #expect(CellSet(text) == nil)
    }
  }

  @Test func symmetricPlacesAreOne() {
    let edges = [
      "####/##../..../....", "####/..##/..../....", "..../..../##../####", "#.../#.../##../##..",
    ]
    #expect(Set(edges.map { CellSet($0)!.canonical }).count == 1)
  }

  @Test func classesAnswerTheirPlacesInAnySymmetry() throws {
    let classes = Dictionary(uniqueKeysWithValues: TableClass.published.map { ($0.name, $0) })
    let turned = CellSet("...#/...#/..##/..##")!
    #expect(classes["442"]!.answers(turned))
    #expect(classes["442t"]!.answers(turned))
    #expect(classes["free10"]!.answers(turned))
    #expect(!classes["L3"]!.answers(turned))
    #expect(!classes["444"]!.answers(turned))
    #expect(classes["4442f"]!.freeCellCount == 13)
    // Two fixed cells in a corner and one tile anywhere.
    #expect(classes["4442f"]!.answers(CellSet("##../..../...#/....")!))
    #expect(!classes["4442f"]!.answers(CellSet("#.../.#../...#/....")!))
  }

  @Test func aCensusCountsLatePositionsByGoalAndPlace() throws {
    var census = TableCensus(fromLargest: 14)
    census.add(board)
    var turned = Board()
    for cell in 0..<16 { turned[15 - cell] = board[cell] }
    census.add(turned)
    var early = board
    early[0] = 0
    census.add(early)
    var equal = board
    equal[11] = 9
    census.add(equal)
    #expect(census.positions == 3)
    let places = try #require(census.kinds[.init(freeCells: 10, goal: 9)])
    #expect(places.cells == [CellSet(0x003F): 2])
    #expect(places.share(ofMostFrequent: 1) == 1)
    #expect(census.kinds[.init(freeCells: 9, goal: 9)]?.notLocked == 1)
    let chain = try #require(census.chains.keys.first)
    #expect(chain.description == "16384 8192 4096 2048 1024 512 ...")
    let place = try #require(census.classes.firstIndex { $0.name == "442" })
    #expect(census.chains[chain]?.answered[place] == 2)
    #expect(census.share(of: place) == 2.0 / 3)
  }
}
