import Basics
import NTupleNetwork

extension CanonicalOrder {
  /// Calls `body` with each block of a table, in file order, after checking the range of its values.
  ///
  /// - Parameter damaged: Returns the error for a value out of range, given its exponents, one per cell.
  @unsafe
  func forEachBlock(
    of table: UnsafeMutableBufferPointer<Float>,
    damaged: (_ exponents: [Int], _ value: Float) -> LocatedError,
    _ body: (_ number: Int, UnsafeMutableBufferPointer<Float>) throws -> Void
  ) throws {
    unsafe try CanonicalOrder.withBuffer(blockEntryCount) { block in
      for number in 0..<blockCount {
        unsafe gather(number, of: table, into: block)
        unsafe try requireRange(of: block, number, damaged)
        unsafe try body(number, block)
      }
    }
  }

  /// Fills a table, which is all zero, with blocks in file order, after checking the range of their values.
  ///
  /// - Parameters:
  ///   - table: The destination; nil to check only.
  ///   - damaged: Returns the error for a value out of range, given its exponents, one per cell.
  ///   - read: Fills the block.
  @unsafe
  func fill(
    _ table: UnsafeMutableBufferPointer<Float>?,
    damaged: (_ exponents: [Int], _ value: Float) -> LocatedError,
    fromBlocks read: (UnsafeMutableBufferPointer<Float>) throws -> Void
  ) throws {
    unsafe try CanonicalOrder.withBuffer(blockEntryCount) { block in
      for number in 0..<blockCount {
        unsafe try read(block)
        unsafe try requireRange(of: block, number, damaged)
        // Pages of a new table that are not written take no memory.
        guard let table = unsafe table, unsafe !isZero(UnsafeRawBufferPointer(block)) else {
          continue
        }
        unsafe scatter(block, number: number, into: table)
      }
    }
  }

  /// Calls `body` with a buffer of `count` zeros.
  static func withBuffer(
    _ count: Int, _ body: (UnsafeMutableBufferPointer<Float>) throws -> Void
  ) rethrows {
    let block = UnsafeMutableBufferPointer<Float>.allocate(capacity: count)
    unsafe block.initialize(repeating: 0)
    defer { unsafe block.deallocate() }
    unsafe try body(block)
  }

  @unsafe
  private func requireRange(
    of block: UnsafeMutableBufferPointer<Float>, _ number: Int,
    _ damaged: ([Int], Float) -> LocatedError
  ) throws {
    var largest: UInt32 = 0
    // This loop compares bit patterns, so that it vectorises. Only if it finds an entry, a search follows.
    for entry in 0..<block.count {
      largest = max(largest, unsafe block[entry].bitPattern & 0x7FFF_FFFF)
    }
    let limit = TensorGroup.largestMagnitude
    guard largest > limit.bitPattern,
      let place = unsafe block.firstIndex(where: { !($0.magnitude <= limit) })
    else { return }
    let entry = number * blockEntryCount + place
    let cellCount = entryCount.trailingZeroBitCount / 4
    throw unsafe damaged(
      CanonicalOrder.exponents(of: entry, cellCount: cellCount), block[place])
  }
}

extension SharedWeights {
  /// Calls `body` with the weights in a range.
  func withWeights<Result>(
    in range: Range<Int>, _ body: (UnsafeMutableBufferPointer<Float>) throws -> Result
  ) rethrows -> Result {
    unsafe try withUnsafeWeights {
      unsafe try body(UnsafeMutableBufferPointer(rebasing: $0[range]))
    }
  }
}

extension SharedWeights? {
  /// Calls `body` with the weights in a range, or with nil if there are none.
  func withWeights<Result>(
    in range: Range<Int>, _ body: (UnsafeMutableBufferPointer<Float>?) throws -> Result
  ) rethrows -> Result {
    guard let self else { return try body(nil) }
    return unsafe try self.withWeights(in: range) { unsafe try body($0) }
  }
}

extension NetworkShape.Table {
  /// The range of the table within the weights.
  var range: Range<Int> { offset..<(offset + pattern.entryCount) }
}
