import NTupleNetwork

/// The changes of some entries in all tables of a network.
///
/// The entries are those of the blocks of `UpdateMarks` that the masks select, ascending.
struct TableChanges: Equatable {
  /// The number of tables.
  let tables: Int
  /// The numbers of the blocks, ascending.
  var blocks: [UInt32] = []
  /// The entries of each block: bit i stands for entry i.
  var masks: [UInt64] = []
  /// The changes, `[entry, table]`, row-major.
  var values: [Float] = []

  /// Creates a list without entries.
  init(tables: Int) { self.tables = tables }

  /// The list as bytes, with numbers in the byte order of the machine; empty without entries.
  var bytes: [UInt8] {
    if blocks.isEmpty { return [] }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(8 + 12 * blocks.count + 4 * values.count)
    bytes.append(numbers: [UInt64(blocks.count)])
    bytes.append(numbers: masks)
    bytes.append(numbers: blocks)
    bytes.append(numbers: values)
    return bytes
  }

  /// Reads a list for this many tables.
  ///
  /// - Precondition: The bytes come from ``bytes`` of a list for as many tables.
  init(_ bytes: [UInt8], tables: Int) {
    self.init(tables: tables)
    if bytes.isEmpty { return }
    var rest = bytes[...]
    let count = Int(rest.removeNumbers(1, of: UInt64.self)[0])
    masks = rest.removeNumbers(count, of: UInt64.self)
    blocks = rest.removeNumbers(count, of: UInt32.self)
    let entries = masks.reduce(0) { $0 + $1.nonzeroBitCount }
    values = rest.removeNumbers(entries * tables, of: Float.self)
    precondition(rest.isEmpty, "changes with more than their entries")
  }
}
