import Basics
import NTupleNetwork

#if !_endian(little)
  #error("weight files are little-endian: only little-endian processors are supported")
#endif

/// The conversion of one pattern's table between memory order and the order of a file.
///
/// Both orders permute the digits of an index. A plain loop over one order would access the other one at
/// scattered places and miss the cache at every entry. A block in file order is therefore treated as a
/// matrix: its columns are the last two digits of the index, and its rows the digits before. Rows that are
/// adjacent in memory are converted together, so that both sides use complete cache lines.
///
/// Safety: (1) an index computed by `IndexLayout` is less than the table's entry count, because it
/// consists of 4 bits per cell; (2) a row and a column yield an index within the block, by
/// construction of `rowOrder` and `low`; (3) callers pass a table of ``entryCount`` and a block of
/// ``blockEntryCount`` entries, which preconditions check.
struct CanonicalOrder {
  /// The number of entries of the table.
  let entryCount: Int
  /// The number of entries of one block, 4 MiB in a large table.
  let blockEntryCount: Int
  /// The number of blocks of the table.
  var blockCount: Int { entryCount / blockEntryCount }

  /// Whether the axes of the tensor are the listed cells in reverse order.
  let isReversed: Bool
  private let layout: IndexLayout
  /// The contribution of each column to the memory index.
  private let low: [Int]
  /// The rows of a block, sorted by memory index.
  ///
  /// A row has the place of its first entry within the block, and its contribution to the memory index.
  private let rowOrder: [(start: Int, high: Int)]

  /// The number of rows that are converted together.
  private static let rowsTogether = 16

  /// Creates the conversion for a tensor whose axes are the cells of `pattern` in listed order, or in reverse
  /// order if `isReversed` is true, on a board of `boardSize` × `boardSize` cells.
  init(_ pattern: Pattern, boardSize: Int = 4, isReversed: Bool = false) {
    self.isReversed = isReversed
    // A reversed pattern is valid on the largest board, too.
    let pattern = isReversed ? try! Pattern(String(pattern.description.reversed())) : pattern
    entryCount = pattern.entryCount
    blockEntryCount = min(entryCount, 1 << 20)
    let layout = IndexLayout(pattern, boardSize: boardSize)
    self.layout = layout
    low = layout.lowIndices
    let columns = low.count
    rowOrder = (0..<(blockEntryCount / columns))
      .map { (start: $0 * columns, high: layout.highIndex($0)) }
      .sorted { $0.high < $1.high }
  }

  /// Copies block `number` of `table` into `block`, in file order.
  @unsafe
  func gather(
    _ number: Int, of table: UnsafeMutableBufferPointer<Float>,
    into block: UnsafeMutableBufferPointer<Float>
  ) {
    unsafe check(number, table, block)
    let (entries, values) = (table.baseAddress!, block.baseAddress!)
    forEachEntry(of: number) { unsafe values[$0] = entries[$1] }
  }

  /// Copies `block`, which is in file order, into `table` as its block `number`.
  @unsafe
  func scatter<Entry>(
    _ block: UnsafeMutableBufferPointer<Entry>, number: Int,
    into table: UnsafeMutableBufferPointer<Entry>
  ) {
    unsafe check(number, table, block)
    let (entries, values) = (table.baseAddress!, block.baseAddress!)
    forEachEntry(of: number) { unsafe entries[$1] = values[$0] }
  }

  @unsafe
  private func check<Entry>(
    _ number: Int, _ table: UnsafeMutableBufferPointer<Entry>,
    _ block: UnsafeMutableBufferPointer<Entry>
  ) {
    precondition(
      table.count == entryCount && block.count == blockEntryCount
        && 0 <= number && number < blockCount, "a block of the table")
  }

  /// Calls `body` with the index of every entry within the block and in memory.
  @inline(__always)
  private func forEachEntry(of number: Int, _ body: (_ canonical: Int, _ memory: Int) -> Void) {
    let base = layout.highIndex(number * rowOrder.count)
    unsafe low.withUnsafeBufferPointer { low in
      unsafe rowOrder.withUnsafeBufferPointer { rows in
        var first = 0
        while first < rows.count {
          let end = min(rows.count, first &+ CanonicalOrder.rowsTogether)
          for column in 0..<low.count {
            let lowIndex = unsafe base | low[column]
            for place in first..<end {
              let row = unsafe rows[place]
              body(row.start &+ column, row.high | lowIndex)
            }
          }
          first = end
        }
      }
    }
  }

  /// Returns the position of an entry in the tensor, one exponent per axis, given its index in file order.
  static func exponents(of index: Int, cellCount: Int) -> [Int] {
    (0..<cellCount).reversed().map { (index >> (4 * $0)) & 15 }
  }
}

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
