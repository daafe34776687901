import Testing

@testable import Search

@Suite struct TranspositionTableTests {
  private typealias Packed = TranspositionTable.Packed

  /// Returns keys that share a bucket of the smallest table.
  private func keysOfABucket(_ table: TranspositionTable, count: Int) -> [UInt64] {
    let first = unsafe table.entries.bucket(of: 1)
    return Array((1...).lazy.filter { unsafe table.entries.bucket(of: $0) == first }.prefix(count))
  }

  private func entry(
    value: Float = 1, reach: UInt16 = 500, layers: Int = 4, generation: UInt64 = 0
  ) -> Packed {
    Packed(value: value, reach: reach, layers: layers, generation: generation)
  }

  private func kept(_ keys: [UInt64], in table: TranspositionTable) -> [Bool] {
    keys.map { table.entries.find($0) != nil }
  }

  @Test(arguments: [(128, 128), (191, 128), (256, 256), (100 << 20, 64 << 20)])
  func theSizeIsThePowerOfTwoThatFits(_ bytes: Int, expected: Int) {
    #expect(TranspositionTable(bytes: bytes).byteCount == expected)
  }

  @Test func whatIsStoredIsFound() throws {
    let table = TranspositionTable(bytes: 1 << 12)
    table.entries.store(77, entry(value: -2.5, reach: 65_535, layers: 255, generation: 255))
    let found = try #require(table.entries.find(77))
    #expect((found.value, found.reach, found.layers) == (-2.5, 65_535, 255))
    #expect(found.generation == 255)
    #expect(table.entries.find(78) == nil)
    table.entries.store(77, entry(value: 3))
    #expect(table.entries.find(77)?.value == 3)
  }

  @Test func whatTwoThreadsHaveWrittenHalfEachIsNotFound() {
    for key in UInt64(1)...64 {
      let table = TranspositionTable(bytes: 128)
      let (first, second) = (entry(layers: 2), entry(layers: 4))
      table.entries.store(key, first)
      unsafe table.entries.bucket(of: key)[1] = second.bits
      #expect(table.entries.find(key) == nil)
      // A board whose key differs as little as the two values do.
      #expect(table.entries.find(key ^ first.bits ^ second.bits) == nil)
    }
  }

  @Test func theOldestGivesWay() {
    let table = TranspositionTable(bytes: 128)
    let keys = keysOfABucket(table, count: 5)
    for (place, key) in keys.prefix(4).enumerated() {
      // The second entry is from the earliest move, although its search was the deepest.
      table.entries.store(
        key, entry(reach: place == 1 ? 900 : 500, generation: place == 1 ? 254 : 255))
    }
    table.entries.store(keys[4], entry(generation: 0))
    #expect(kept(keys, in: table) == [true, false, true, true, true])
  }

  @Test func thenTheOneSearchedLeast() {
    for (reach, layers) in [(400, 9), (500, 3)] {
      let table = TranspositionTable(bytes: 128)
      let keys = keysOfABucket(table, count: 5)
      for (place, key) in keys.prefix(4).enumerated() {
        let isLeast = place == 2
        table.entries.store(
          key, entry(reach: isLeast ? UInt16(reach) : 500, layers: isLeast ? layers : 4))
      }
      table.entries.store(keys[4], entry(reach: 1, layers: 1))
      #expect(kept(keys, in: table) == [true, true, false, true, true])
    }
  }

  @Test func anEmptyEntryIsTakenFirst() {
    // Generations wrap around: the one of an empty entry equals that of this move.
    let table = TranspositionTable(bytes: 128)
    let keys = keysOfABucket(table, count: 4)
    for key in keys.prefix(3) { table.entries.store(key, entry(generation: 255)) }
    table.entries.store(keys[3], entry(generation: 0))
    #expect(kept(keys, in: table) == [true, true, true, true])
  }
}
