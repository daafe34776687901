import Foundation
import Game2048
import NTupleNetwork
import TestSupport
import Testing

@testable import ModelFiles

@Suite struct CanonicalOrderTests {
  /// Returns the memory index by its definition: plane by plane, bit k of every cell in ascending order.
  ///
  /// - Parameter ranks: For each listed cell, the number of cells that are lower.
  private func memoryIndex(_ canonical: Int, ranks: [Int]) -> Int {
    var index = 0
    for (position, rank) in ranks.enumerated() {
      let exponent = (canonical >> (4 * (ranks.count - 1 - position))) & 15
      for bit in 0..<4 { index |= ((exponent >> bit) & 1) << (bit * ranks.count + rank) }
    }
    return index
  }

  @Test(arguments: ["f", "10", "5410", "210", "0d4a7", "49a865", "45689a"])
  func everyEntryStandsWhereTheDefinitionPutsIt(text: String) throws {
    let pattern = try Pattern(text)
    let count = pattern.entryCount
    let cells = ReferenceSymmetry.memoryCells(pattern.cells)
    let ranks = cells.map { cell in cells.filter { $0 < cell }.count }
    let order = CanonicalOrder(pattern)
    // Bits of the position: exact as `Float`, and different for all entries of up to 6 cells.
    let table = UnsafeMutableBufferPointer<Float>.allocate(capacity: count)
    let back = UnsafeMutableBufferPointer<Float>.allocate(capacity: count)
    let block = UnsafeMutableBufferPointer<Float>.allocate(capacity: order.blockEntryCount)
    defer {
      table.deallocate()
      back.deallocate()
      block.deallocate()
    }
    for index in 0..<count { table.initializeElement(at: index, to: Float(index)) }
    back.initialize(repeating: -1)
    block.initialize(repeating: -1)

    // Digits have separate bits in memory, so the indices of the last two digits are determined once.
    let columns = min(count, 256)
    let low = (0..<columns).map { memoryIndex($0, ranks: ranks) }
    var wrong = 0
    var canonical = 0
    for number in 0..<order.blockCount {
      order.gather(number, of: table, into: block)
      for start in stride(from: 0, to: block.count, by: columns) {
        let high = memoryIndex(canonical, ranks: ranks)
        for column in 0..<columns where block[start + column] != Float(high | low[column]) {
          wrong += 1
        }
        canonical += columns
      }
      order.scatter(block, number: number, into: back)
    }
    #expect(canonical == count)
    #expect(wrong == 0)
    #expect(memcmp(table.baseAddress!, back.baseAddress!, MemoryLayout<Float>.stride * count) == 0)
  }

  @Test(arguments: ["f", "3201", "5410"])
  func aFileHoldsAFeatureUnderItsExponents(text: String) throws {
    let directory = try TemporaryDirectory()
    let network = NTupleNetwork(try shape(text))
    let pattern = network.shape.patterns[0]
    let board = Board(exponents: [1, 2, 3, 4, 0, 6, 7, 8, 9, 10, 0, 12, 13, 14, 15, 5])
    network.add(1, toFeaturesOf: board.planes)
    var expected = [Float](repeating: 0, count: pattern.entryCount)
    Rules().symmetries.forEachImage(of: SIMD4(repeating: board.planes)) { _, planes in
      let image = Board(planes: planes[0])
      expected[pattern.cells.reduce(0) { 16 * $0 + image[$1] }] += 1
    }
    try WeightFile.write(network, metadata: someMetadata, to: directory.file("w"))
    let file = try SafetensorsFile(path: directory.file("w"))
    let data = try file.bytes(of: file.header.tensors[0])
    #expect(identical((0..<pattern.entryCount).map { float(data, at: 4 * $0) }, expected))
  }

  @Test func exponentsAreTheDigitsOfTheIndex() {
    #expect(CanonicalOrder.exponents(of: 0x3F0A, cellCount: 4) == [3, 15, 0, 10])
    #expect(CanonicalOrder.exponents(of: 0x7, cellCount: 2) == [0, 7])
  }
}
