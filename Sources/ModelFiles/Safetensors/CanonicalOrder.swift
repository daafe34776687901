import NTupleNetwork

#if !_endian(little)
  #error("weight files are little-endian, and so must be the processor")
#endif

/// The conversion of one pattern's table between memory order and the order of a file.
///
/// Both orders are the same bits of an index in different places, so a plain loop over one of them
/// jumps through the other and misses the cache at every entry. Here a block of the file's order is
/// a matrix, its columns the last two digits of the index and its rows the digits before; rows that
/// are neighbours in memory are converted together, so that both sides touch whole cache lines.
///
/// Safety: (1) an index that ``IndexLayout`` computes is less than the table's entry count, since it
/// is made of 4 bits for every cell; (2) a row and a column make an index within the block, by
/// construction of `rowOrder` and `low`; (3) callers pass a table of `entryCount` and a block of
/// ``blockEntryCount`` entries, which preconditions check.
struct CanonicalOrder {
  /// The entries of the table.
  let entryCount: Int
  /// The entries of one block, 4 MiB of them in a large table.
  let blockEntryCount: Int
  var blockCount: Int { entryCount / blockEntryCount }

  private let layout: IndexLayout
  /// The memory index of each column.
  private let low: [Int]
  /// The rows of a block in the order of their memory indices.
  private let rowOrder: [Row]

  private struct Row {
    /// The block's entry at which the row starts.
    let start: Int
    /// What the row contributes to the memory index.
    let high: Int
  }

  private static let rowsTogether = 16

  /// The order of a tensor whose axes are the cells of `pattern` as listed, on a board of
  /// `boardSize` × `boardSize`.
  init(_ pattern: Pattern, boardSize: Int = 4) {
    entryCount = pattern.entryCount
    blockEntryCount = min(entryCount, 1 << 20)
    let layout = IndexLayout(pattern, boardSize: boardSize)
    self.layout = layout
    low = layout.lowIndices
    let columns = low.count
    rowOrder = (0..<(blockEntryCount / columns))
      .map { Row(start: $0 * columns, high: layout.highIndex($0)) }
      .sorted { $0.high < $1.high }
  }

  /// Copies a block of `table` into `block`, in the order of the file.
  @unsafe
  func gather(
    _ number: Int, of table: UnsafeMutableBufferPointer<Float>,
    into block: UnsafeMutableBufferPointer<Float>
  ) {
    unsafe check(number, table, block)
    let (entries, values) = (table.baseAddress!, block.baseAddress!)
    forEachEntry(of: number) { unsafe values[$0] = entries[$1] }
  }

  /// Copies a block in the order of the file into `table`.
  @unsafe
  func scatter(
    _ block: UnsafeMutableBufferPointer<Float>, number: Int,
    into table: UnsafeMutableBufferPointer<Float>
  ) {
    unsafe check(number, table, block)
    let (entries, values) = (table.baseAddress!, block.baseAddress!)
    forEachEntry(of: number) { unsafe entries[$1] = values[$0] }
  }

  @unsafe
  private func check(
    _ number: Int, _ table: UnsafeMutableBufferPointer<Float>,
    _ block: UnsafeMutableBufferPointer<Float>
  ) {
    precondition(
      table.count == entryCount && block.count == blockEntryCount
        && 0 <= number && number < blockCount, "a block of the table")
  }

  /// Calls `body` with every entry's index within the block and in memory.
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

  /// The digits of the entry at `index` in the order of the file, one exponent for each axis.
  static func exponents(of index: Int, cellCount: Int) -> [Int] {
    (0..<cellCount).reversed().map { (index >> (4 * $0)) & 15 }
  }
}
