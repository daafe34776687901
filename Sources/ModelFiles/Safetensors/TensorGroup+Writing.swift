import Basics
import NTupleNetwork

extension TensorGroup {
  /// Writes groups and metadata to a temporary file, ready to be moved into place.
  ///
  /// The length of the header does not depend on the values of the checksums. The tensors are therefore
  /// converted, hashed and written block by block, and the header is written last.
  ///
  /// - Throws: `LocatedError` if the file cannot be written or a value exceeds ``largestMagnitude``.
  /// - Complexity: O(entries), and 4 MiB of memory.
  package static func prepare(
    _ groups: [TensorGroup], shape: NetworkShape, metadata: [String: String], path: String
  ) throws -> PreparedFile {
    var metadata = metadata
    metadata[MetadataKey.checksum] = Checksum.placeholder
    metadata[MetadataKey.metadataChecksum] = Checksum.placeholder
    var header = SafetensorsHeader(metadata: metadata, groups: groups.map(\.name), shape: shape)
    let dataStart = header.encoded().count
    guard dataStart <= SafetensorsHeader.largestByteCount else {
      throw LocatedError(
        .unsuitableData, path: path, place: "metadata",
        "take \(byteText(dataStart)), but at most \(byteText(SafetensorsHeader.largestByteCount)) can be read",
        remedy: "shorten the configuration or the run state")
    }
    let file = try AtomicFile(path: path)
    var checksum = Checksum()
    var offset = dataStart
    for group in groups {
      precondition(group.values.count == shape.storageCount, "one value per weight")
      unsafe try group.values.withUnsafeWeights { values in
        for table in shape.tables {
          let entries = unsafe UnsafeMutableBufferPointer(
            rebasing: values[table.offset..<(table.offset + table.pattern.entryCount)])
          unsafe try forEachBlock(
            of: entries, in: CanonicalOrder(table.pattern, boardSize: shape.boardSize)
          ) { number, block in
            if let entry = unsafe firstOutOfRange(block) {
              throw outOfRange(
                unsafe block[entry], entry: number * block.count + entry, table: table,
                group: group.name, path: path,
                remedy:
                  "learning diverged; start again, or from an earlier checkpoint with --init, at a lower "
                  + "learning rate or, in synchronous mode, with fewer moves per round")
            }
            unsafe checksum.update(UnsafeRawBufferPointer(block))
            unsafe try file.writeSkippingZeros(UnsafeRawBufferPointer(block), at: offset)
            offset += block.count * MemoryLayout<Float>.stride
          }
        }
      }
    }
    metadata[MetadataKey.checksum] = checksum.finalized()
    metadata[MetadataKey.metadataChecksum] = Checksum.of(
      metadata, excluding: MetadataKey.metadataChecksum)
    header.metadata = metadata
    let bytes = header.encoded()
    precondition(bytes.count == dataStart, "the checksums have a fixed width")
    unsafe try bytes.withUnsafeBytes { unsafe try file.write($0, at: 0) }
    try file.setLength(offset)
    return PreparedFile(file: file, checksum: checksum.finalized(), byteCount: offset)
  }

  /// Calls `body` with each block of a table, in file order.
  @unsafe
  static func forEachBlock(
    of table: UnsafeMutableBufferPointer<Float>, in order: CanonicalOrder,
    _ body: (_ number: Int, UnsafeMutableBufferPointer<Float>) throws -> Void
  ) throws {
    unsafe try withBlock(order.blockEntryCount) { block in
      for number in 0..<order.blockCount {
        unsafe order.gather(number, of: table, into: block)
        unsafe try body(number, block)
      }
    }
  }

  /// Calls `body` with a buffer of `count` values.
  package static func withBlock(
    _ count: Int, _ body: (UnsafeMutableBufferPointer<Float>) throws -> Void
  ) rethrows {
    let block = UnsafeMutableBufferPointer<Float>.allocate(capacity: count)
    unsafe block.initialize(repeating: 0)
    defer { unsafe block.deallocate() }
    unsafe try body(block)
  }

  /// The largest valid magnitude of a value; no sum of such weights over all features is infinite.
  package static let largestMagnitude: Float = 1e30

  /// Returns the first entry whose magnitude exceeds ``largestMagnitude`` or that is not a number.
  @unsafe
  package static func firstOutOfRange(_ block: UnsafeMutableBufferPointer<Float>) -> Int? {
    var largest: UInt32 = 0
    // This loop compares bit patterns, so that it vectorises. Only if it finds an entry, a search follows.
    for entry in 0..<block.count {
      largest = max(largest, unsafe block[entry].bitPattern & 0x7FFF_FFFF)
    }
    guard largest > largestMagnitude.bitPattern else { return nil }
    return unsafe block.firstIndex { !($0.magnitude <= largestMagnitude) }
  }

  /// Returns the error for a value out of range.
  package static func outOfRange(
    _ value: Float, entry: Int, table: NetworkShape.Table, group: String, path: String,
    remedy: String
  ) -> LocatedError {
    let exponents = CanonicalOrder.exponents(of: entry, cellCount: table.pattern.cells.count)
    return .damaged(
      path, "tensor '\(tensorName(group, table))'", "entry \(exponents) is \(value)",
      remedy: remedy)
  }
}
