import Basics
import NTupleNetwork

extension CanonicalOrder {
  /// Calls `body` with each block of a table, in file order, after checking the range of its values.
  ///
  /// - Throws: `LocatedError` with the path, the place and the remedy for a value out of range; errors of `body`.
  @unsafe
  func forEachBlock(
    of table: UnsafeMutableBufferPointer<Float>, path: String, place: String, remedy: String,
    _ body: (_ number: Int, UnsafeMutableBufferPointer<Float>) throws -> Void
  ) throws {
    unsafe try CanonicalOrder.withBuffer(blockEntryCount) { block in
      for number in 0..<blockCount {
        unsafe gather(number, of: table, into: block)
        unsafe try requireRange(of: block, number, path, place, remedy)
        unsafe try body(number, block)
      }
    }
  }

  /// Fills a table, which is all zero, with blocks in file order, after checking the range of their values.
  ///
  /// - Parameters:
  ///   - table: The destination; nil to check only.
  ///   - read: Fills the block.
  /// - Throws: `LocatedError` with the path, the place and the remedy for a value out of range; errors of `read`.
  @unsafe
  func fill(
    _ table: UnsafeMutableBufferPointer<Float>?, path: String, place: String, remedy: String,
    fromBlocks read: (UnsafeMutableBufferPointer<Float>) throws -> Void
  ) throws {
    unsafe try CanonicalOrder.withBuffer(blockEntryCount) { block in
      for number in 0..<blockCount {
        unsafe try read(block)
        unsafe try requireRange(of: block, number, path, place, remedy)
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
    of block: UnsafeMutableBufferPointer<Float>, _ number: Int, _ path: String, _ place: String,
    _ remedy: String
  ) throws {
    var largest: UInt32 = 0
    // This loop compares bit patterns, so that it vectorises. Only if it finds an entry, a search follows.
    for entry in 0..<block.count {
      largest = max(largest, unsafe block[entry].bitPattern & 0x7FFF_FFFF)
    }
    let limit = TensorGroup.largestMagnitude
    guard largest > limit.bitPattern,
      let index = unsafe block.firstIndex(where: { !($0.magnitude <= limit) })
    else { return }
    let axes = CanonicalOrder.exponents(
      of: number * blockEntryCount + index, cellCount: entryCount.trailingZeroBitCount / 4)
    let exponents = isReversed ? axes.reversed() : axes
    throw unsafe LocatedError.damaged(
      path, place, "entry \(exponents) is \(block[index])", remedy: remedy)
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
