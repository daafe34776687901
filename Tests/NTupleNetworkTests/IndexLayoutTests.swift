import Testing

@testable import NTupleNetwork

@Suite struct IndexLayoutTests {
  /// Returns the exponents of an entry in canonical order, where the last listed cell is the lowest digit.
  private func exponents(_ canonical: Int, count: Int) -> [Int] {
    (0..<count).map { canonical >> (4 * (count - 1 - $0)) & 15 }
  }

  @Test(arguments: ["0", "f", "01", "f0", "012", "a50", "3b7", "0123", "9510"])
  func memoryIndicesAgreeWithTheNaiveOnes(text: String) throws {
    let pattern = try Pattern(text)
    let layout = IndexLayout(pattern)
    let low = layout.lowIndices
    #expect(low.count == min(256, pattern.entryCount))
    var seen: Set<Int> = []
    for canonical in 0..<pattern.entryCount {
      let exponents = exponents(canonical, count: pattern.cells.count)
      let expected = naiveMemoryIndex(cells: pattern.cells, exponents: exponents)
      #expect(layout.memoryIndex(of: exponents) == expected)
      let (block, place) = canonical.quotientAndRemainder(dividingBy: low.count)
      #expect(layout.highIndex(block) | low[place] == expected)
      #expect(layout.highIndex(block) + low[place] == expected)
      seen.insert(expected)
    }
    #expect(seen == Set(0..<pattern.entryCount))
  }

  @Test func sixCellsCoverTheirTableOnce() throws {
    let pattern = try Pattern("951042")
    let layout = IndexLayout(pattern)
    let low = layout.lowIndices
    var seen = [Bool](repeating: false, count: pattern.entryCount)
    for block in 0..<(pattern.entryCount / low.count) {
      let high = layout.highIndex(block)
      for place in low { seen[high | place] = true }
    }
    #expect(!seen.contains(false))
  }

  @Test func writtenExamples() throws {
    // Planes of two bits each. Cells 5 and 2 are read from an image upside down, as 9 and 14, so 5 is the lower one.
    let layout = IndexLayout(try Pattern("52"))
    #expect(layout.memoryIndex(of: [0, 1]) == 0b10)
    #expect(layout.memoryIndex(of: [1, 0]) == 0b01)
    #expect(layout.memoryIndex(of: [0, 15]) == 0b1010_1010)
    #expect(layout.memoryIndex(of: [8, 2]) == 0b0100_1000)
    #expect(layout.lowIndices[0x82] == 0b0100_1000)
    #expect(layout.highIndex(0) == 0)
  }
}
