import Testing

@testable import NTupleNetwork

@Suite struct PatternTests {
  @Test(arguments: [
    ("012345", [0, 1, 2, 3, 4, 5]), ("f", [15]), ("Fa0", [15, 10, 0]),
    ("98ba5410", [9, 8, 11, 10, 5, 4, 1, 0]),
  ])
  func cellsAreReadInListedOrder(text: String, cells: [Int]) throws {
    let pattern = try Pattern(text)
    #expect(pattern.cells == cells)
    #expect(pattern.entryCount == cells.reduce(1) { product, _ in 16 * product })
    #expect(pattern.description == text.lowercased())
    #expect(try Pattern(pattern.description) == pattern)
  }

  @Test(arguments: [
    ("", Pattern.ParsingError.badCount(0), "it has 0 cells, and a pattern has 1 to 8"),
    ("012345678", .badCount(9), "it has 9 cells, and a pattern has 1 to 8"),
    ("01g", .badCell("g"), "'g' is not a cell: cells are 0-9 and a-f"),
    ("0 1", .badCell(" "), "' ' is not a cell: cells are 0-9 and a-f"),
    ("0１", .badCell("１"), "'１' is not a cell: cells are 0-9 and a-f"),
    ("0110", .repeatedCell("1"), "cell 1 occurs twice"),
    ("aA", .repeatedCell("A"), "cell A occurs twice"),
  ])
  func textsThatAreNoPattern(text: String, error: Pattern.ParsingError, description: String) {
    #expect(throws: error) { try Pattern(text) }
    #expect(error.description == description)
  }

  @Test func cellsLieOnTheBoard() throws {
    #expect(try Pattern("0145", boardSize: 2).cells == [0, 1, 4, 5])
    #expect(try Pattern("02468a", boardSize: 3).cells == [0, 2, 4, 6, 8, 10])
    #expect(throws: Pattern.ParsingError.outsideBoard("2", size: 2)) {
      try Pattern("012", boardSize: 2)
    }
    #expect(throws: Pattern.ParsingError.outsideBoard("c", size: 3)) {
      try Pattern("0c", boardSize: 3)
    }
    #expect(
      Pattern.ParsingError.outsideBoard("c", size: 3).description
        == "cell c is not on the 3x3 board (cells are numbered as on 4x4)")
  }

  @Test func shapesCountTheirTables() throws {
    let shape = NetworkShape(patterns: try ["01", "4", "567"].map { try Pattern($0) })
    #expect(shape.featureCount == 24)
    #expect(shape.entryCount == 256 + 16 + 4096)
    #expect(shape.byteCount == 4 * (256 + 16 + 4096))
    #expect(shape.tableOffsets == [0, 256, 272])
    #expect(shape.boardSize == 4)
  }

  @Test func largeTablesLeaveGaps() throws {
    let shape = NetworkShape(patterns: try ["012345", "0123", "456789"].map { try Pattern($0) })
    let large = 1 << 24
    let gap = 517 * 16
    let offsets = [0, large + gap, large + 2 * gap + (1 << 16)]
    #expect(shape.tableOffsets == offsets)
    #expect(shape.storageCount == offsets[2] + large)
    #expect(shape.entryCount == 2 * large + (1 << 16))
  }
}
