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
    func append<Element: BitwiseCopyable>(_ elements: [Element]) {
      unsafe elements.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
    }
    append([UInt64(blocks.count)])
    append(masks)
    append(blocks)
    append(values)
    return bytes
  }

  /// Reads a list for this many tables.
  ///
  /// - Precondition: The bytes come from ``bytes`` of a list for as many tables.
  init(_ bytes: [UInt8], tables: Int) {
    self.init(tables: tables)
    if bytes.isEmpty { return }
    var place = 0
    func take<Element: BitwiseCopyable>(_ count: Int, of zero: Element) -> [Element] {
      let end = place + count * MemoryLayout<Element>.stride
      precondition(end <= bytes.count, "changes that end too early")
      defer { place = end }
      var elements = [Element](repeating: zero, count: count)
      unsafe elements.withUnsafeMutableBytes { target in
        unsafe bytes.withUnsafeBytes { source in
          unsafe target.copyMemory(from: UnsafeRawBufferPointer(rebasing: source[place..<end]))
        }
      }
      return elements
    }
    let count = Int(take(1, of: UInt64(0))[0])
    masks = take(count, of: UInt64(0))
    blocks = take(count, of: UInt32(0))
    let entries = masks.reduce(0) { $0 + $1.nonzeroBitCount }
    values = take(entries * tables, of: Float(0))
    precondition(place == bytes.count, "changes with more than their entries")
  }
}
