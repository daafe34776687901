import NTupleNetwork

/// Numbers for some entries of all tables of a network: changes, or new contents.
///
/// The entries are those of the blocks of `UpdateMarks` that the masks select, ascending.
struct TableEntries: Equatable {
  /// The number of tables.
  let tables: Int
  /// The numbers of the blocks, ascending.
  private(set) var blocks: [UInt32] = []
  /// The entries of each block: bit i stands for entry i.
  private(set) var masks: [UInt16] = []
  /// The numbers, `[entry, table]`, row-major.
  private(set) var values: [Float] = []

  /// Creates a list without entries.
  init(tables: Int) { self.tables = tables }

  /// Appends entries of a block.
  ///
  /// - Parameters:
  ///   - block: The number of the block, above those of the list.
  ///   - mask: The entries of the block, at least one.
  ///   - values: The numbers of these entries, `[entry, table]`, row-major.
  @unsafe
  mutating func append(block: Int, mask: UInt16, values: UnsafePointer<Float>) {
    blocks.append(UInt32(block))
    masks.append(mask)
    unsafe self.values.append(
      contentsOf: UnsafeBufferPointer(start: values, count: mask.nonzeroBitCount * tables))
  }

  /// Calls a closure with the numbers, which it may change.
  @unsafe
  mutating func updateValues(_ body: (UnsafeMutableBufferPointer<Float>) -> Void) {
    unsafe values.withUnsafeMutableBufferPointer { unsafe body($0) }
  }

  /// The list as bytes, with numbers in the byte order of the machine; empty without entries.
  var bytes: [UInt8] {
    if blocks.isEmpty { return [] }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(8 + 6 * blocks.count + 4 * values.count)
    bytes.append(numbers: [UInt64(blocks.count)])
    bytes.append(numbers: blocks)
    bytes.append(numbers: masks)
    bytes.append(numbers: values)
    return bytes
  }

  /// Reads a list for this many tables.
  ///
  /// - Precondition: The bytes come from ``bytes`` of a list for as many tables, whose blocks are in `allowed`.
  init(_ bytes: [UInt8], tables: Int, in allowed: Range<Int>) {
    self.init(tables: tables)
    if bytes.isEmpty { return }
    var rest = bytes[...]
    let count = Int(rest.removeNumbers(1, of: UInt64.self)[0])
    blocks = rest.removeNumbers(count, of: UInt32.self)
    masks = rest.removeNumbers(count, of: UInt16.self)
    let entries = masks.reduce(0) { $0 + $1.nonzeroBitCount }
    values = rest.removeNumbers(entries * tables, of: Float.self)
    precondition(rest.isEmpty, "a list with more than its entries")
    // The numbers of blocks become addresses.
    precondition(
      blocks.allSatisfy { allowed.contains(Int($0)) }
        && zip(blocks, blocks.dropFirst()).allSatisfy { $0 < $1 }, "blocks out of order or range")
  }
}
