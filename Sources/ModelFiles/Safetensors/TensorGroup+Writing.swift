import Basics
import NTupleNetwork

extension TensorGroup {
  /// Writes groups and metadata to a temporary file, ready to be moved into place.
  ///
  /// The length of the header does not depend on the values of the checksums. The tensors are therefore
  /// converted, hashed and written block by block, and the header is written last.
  ///
  /// - Parameters:
  ///   - groups: The groups.
  ///   - shape: The shape of the network.
  ///   - metadata: The metadata, without the checksums.
  ///   - path: The path of the file.
  ///   - limit: The limit on the bytes of a header that readers accept.
  /// - Throws: `LocatedError` if the file cannot be written, a value exceeds ``largestMagnitude``, or the
  ///   header exceeds the limit.
  /// - Complexity: O(entries), and 4 MiB of memory.
  package static func prepare(
    _ groups: [TensorGroup], shape: NetworkShape, metadata: [String: String], path: String,
    limit: InputLimit = .weightHeader
  ) throws -> PreparedFile {
    var metadata = metadata
    metadata[MetadataKey.checksum] = Checksum.placeholder
    metadata[MetadataKey.metadataChecksum] = Checksum.placeholder
    var header = SafetensorsHeader(metadata: metadata, groups: groups.map(\.name), shape: shape)
    let dataStart = header.encoded().count
    try header.requireReadable(path: path, limit: limit)
    let file = try AtomicFile(path: path)
    var checksum = Checksum()
    var offset = dataStart
    for group in groups {
      precondition(group.values.count == shape.storageCount, "one value per weight")
      for table in shape.tables {
        let order = CanonicalOrder(table.pattern, boardSize: shape.boardSize)
        unsafe try group.values.withWeights(in: table.range) { values in
          unsafe try order.forEachBlock(
            of: values,
            damaged: {
              outOfRange(
                $1, $0, table, group.name, path: path,
                remedy:
                  "learning diverged; start again, or from an earlier checkpoint with --init, at a lower "
                  + "learning rate or, in synchronous mode, with fewer moves per round")
            }
          ) { _, block in
            unsafe checksum.update(UnsafeRawBufferPointer(block))
            unsafe try file.writeSkippingZeros(UnsafeRawBufferPointer(block), at: offset)
            offset += block.count * MemoryLayout<Float>.stride
          }
        }
      }
    }
    let sum = checksum.finalized()
    metadata[MetadataKey.checksum] = sum
    metadata[MetadataKey.metadataChecksum] = Checksum.of(
      metadata, excluding: MetadataKey.metadataChecksum)
    header.metadata = metadata
    let bytes = header.encoded()
    precondition(bytes.count == dataStart, "the checksums have a fixed width")
    unsafe try bytes.withUnsafeBytes { unsafe try file.write($0, at: 0) }
    try file.setLength(offset)
    return PreparedFile(file: file, checksum: sum, byteCount: offset)
  }

  /// The largest valid magnitude of a value; no sum of such weights over all features is infinite.
  package static let largestMagnitude: Float = 1e30

  /// Returns the error for a value out of range.
  static func outOfRange(
    _ value: Float, _ exponents: [Int], _ table: NetworkShape.Table, _ group: String,
    path: String, remedy: String
  ) -> LocatedError {
    .damaged(
      path, "tensor '\(tensorName(group, table))'", "entry \(exponents) is \(value)",
      remedy: remedy)
  }
}

/// A complete temporary file that has not been moved into place yet.
package struct PreparedFile: Sendable {
  package let file: AtomicFile
  package let checksum: String
  package let byteCount: Int
}
