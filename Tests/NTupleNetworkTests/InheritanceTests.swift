import Game2048
import TestSupport
import Testing

@testable import NTupleNetwork

@Suite struct InheritanceTests {
  /// A network with the pattern `012`, the layout of its table, and the update counts of its entries.
  private let network = NTupleNetwork(TestNetworks.shape(["012"]))
  private let layout: IndexLayout
  private let updates: SharedWeights

  init() throws {
    layout = IndexLayout(try Pattern("012"))
    updates = SharedWeights(count: network.weights.count)
  }

  private func setEntry(_ exponents: [Int], _ weight: Float, updated: Bool) {
    network.weights[layout.memoryIndex(of: exponents)] = weight
    updates[layout.memoryIndex(of: exponents)] = updated ? 3 : 0
  }

  private func weight(_ exponents: [Int]) -> Float {
    network.weights[layout.memoryIndex(of: exponents)]
  }

  @Test func entriesInheritFromSmallerTiles() {
    setEntry([8, 7, 1], 5, updated: true)
    setEntry([11, 3, 11], 7, updated: true)
    setEntry([12, 5, 5], -2, updated: true)
    setEntry([13, 5, 5], 1, updated: true)
    network.inheritWeights(updated: updates)
    // 9 and 8 are above the missing 7.
    #expect(weight([9, 8, 1]) == 5)
    #expect(weight([1, 8, 9]) == 0)
    // Equal tiles stay equal, and tiles below the missing value do not change.
    #expect(weight([12, 3, 12]) == 7)
    #expect(weight([12, 3, 11]) == 0)
    // An updated entry keeps its weight, and is inherited only over one step.
    #expect(weight([13, 5, 5]) == 1)
    #expect(weight([14, 5, 5]) == 1)
    #expect(weight([15, 5, 5]) == 0)
    #expect(weight([12, 5, 5]) == -2)

    // An entry that has inherited continues to do so until it is updated.
    setEntry([8, 7, 1], 6, updated: true)
    updates[layout.memoryIndex(of: [12, 3, 12])] = 1
    setEntry([11, 3, 11], 8, updated: true)
    network.inheritWeights(updated: updates)
    #expect(weight([9, 8, 1]) == 6)
    #expect(weight([12, 3, 12]) == 7)
  }

  @Test func smallTilesInheritNothing() {
    setEntry([6, 1, 1], 5, updated: true)
    setEntry([7, 1, 1], 0, updated: false)
    network.inheritWeights(updated: updates)
    #expect(weight([7, 1, 1]) == 0)
    setEntry([7, 1, 1], 4, updated: true)
    network.inheritWeights(updated: updates)
    #expect(weight([8, 1, 1]) == 4)
  }

  @Test func wholeTablesFollowTheDefinition() throws {
    for cells in ["0145", "5410", "3"] {
      let network = TestNetworks.random([cells, "01"])
      let updates = SharedWeights(count: network.weights.count)
      var source = Xoshiro256(seed: 7)
      for entry in 0..<network.weights.count where Bool.random(using: &source) {
        updates[entry] = 1
      }
      let before = TestNetworks.weights(of: network)
      network.inheritWeights(updated: updates)
      let pattern = try Pattern(cells)
      let layout = IndexLayout(pattern)
      var inherited = 0
      for number in 0..<pattern.entryCount {
        let exponents = (0..<pattern.cells.count).map { number >> (4 * $0) & 15 }
        let entry = layout.memoryIndex(of: exponents)
        var expected = before[entry]
        let largest = exponents.max()!
        let missing = (1..<max(1, largest)).last { !exponents.contains($0) }
        if largest >= 8, let missing, updates[entry] == 0 {
          let smaller = layout.memoryIndex(of: exponents.map { $0 > missing ? $0 - 1 : $0 })
          if updates[smaller] != 0 {
            expected = before[smaller]
            inherited += 1
          }
        }
        #expect(network.weights[entry] == expected, "\(exponents)")
      }
      #expect(inherited > 0)
    }
  }

  @Test func eightCellsMayLackNoValue() throws {
    let shape = TestNetworks.shape(["01234567"])
    let network = NTupleNetwork(shape)
    let updates = SharedWeights(count: network.weights.count)
    let layout = IndexLayout(try Pattern("01234567"))
    let full = layout.memoryIndex(of: Array(1...8))
    updates[layout.memoryIndex(of: Array(0...7))] = 1
    network.weights[layout.memoryIndex(of: Array(0...7))] = 9
    network.inheritWeights(updated: updates)
    #expect(network.weights[full] == 0)
  }
}
