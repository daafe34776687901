import Basics
import NTupleNetwork

/// A named group of values, one per weight of a network: the weights, or an accumulator.
///
/// A file has one `F32` tensor per pattern, named `NAME.CELLS`, of shape `[16] × cells`, row-major. Its axes
/// are the cells in listed order. The tensors of later stages follow, named `NAME.stage1.CELLS` and so on.
package struct TensorGroup: Sendable {
  /// The name of the group, with which the names of its tensors begin.
  package let name: String
  /// The values of all tables, in memory order.
  package let values: SharedWeights

  /// Creates a group.
  package init(_ name: String, _ values: SharedWeights) {
    self.name = name
    self.values = values
  }

  /// The name of the group that holds the weights.
  package static let weights = "pattern"

  /// The largest valid magnitude of a value; no sum of such weights over all features is infinite.
  package static let largestMagnitude: Float = 1e30

  /// Returns the name of the tensor that stores a table of a group.
  package static func tensorName(_ group: String, _ table: NetworkShape.Table) -> String {
    table.stage == 0 ? "\(group).\(table.pattern)" : "\(group).stage\(table.stage).\(table.pattern)"
  }

  /// Writes groups and metadata to a temporary file, ready to be moved into place.
  ///
  /// The length of the header does not depend on the values of the checksums. The tensors are therefore
  /// converted, hashed and written block by block, and the header is written last.
  ///
  /// - Parameters:
  ///   - metadata: The metadata, without the checksums.
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
            of: values, path: path, place: "tensor '\(tensorName(group.name, table))'",
            remedy:
              "learning diverged; start again, or from an earlier checkpoint with --init, at a lower "
              + "learning rate or, in synchronous mode, with fewer moves per round"
          ) { _, block in
            unsafe checksum.update(UnsafeRawBufferPointer(block))
            unsafe try file.writeSkippingZeros(UnsafeRawBufferPointer(block), at: offset)
            offset += block.count * MemoryLayout<Float>.stride
          }
        }
      }
    }
    let sum = checksum.finalized()
    metadata.setChecksums(tensors: sum)
    header.metadata = metadata
    let bytes = header.encoded()
    precondition(bytes.count == dataStart, "the checksums have a fixed width")
    try file.write(bytes, at: 0)
    try file.setLength(offset)
    return PreparedFile(file: file, checksum: sum, byteCount: offset)
  }

  /// Reads all tensors of a file with a validated header, and verifies their checksum if it states one.
  ///
  /// The checksum is that of the tensors in the order in which they are written, whatever their order in the file.
  ///
  /// - Parameters:
  ///   - names: The names of the groups.
  ///   - groups: The destinations of the groups, all zero; nil to validate only.
  /// - Throws: `LocatedError` if a value exceeds ``largestMagnitude`` or the checksum differs.
  /// - Complexity: O(entries), and 4 MiB of memory.
  package static func read(
    _ file: SafetensorsFile, groups names: [String], shape: NetworkShape,
    into groups: [SharedWeights]?
  ) throws {
    var checksum = Checksum()
    let tensors = file.header.tensorsByName
    for (place, name) in names.enumerated() {
      for table in shape.tables {
        var offset = tensors[tensorName(name, table)]!.byteRange.lowerBound
        let order = CanonicalOrder(table.pattern, boardSize: shape.boardSize)
        unsafe try (groups?[place]).withWeights(in: table.range) { values in
          unsafe try order.fill(
            values, path: file.path, place: "tensor '\(tensorName(name, table))'",
            remedy: "weights must lie within ±1e30; use another checkpoint"
          ) { block in
            let bytes = UnsafeMutableRawBufferPointer(block)
            unsafe try file.read(into: bytes, at: offset)
            offset += bytes.count
            unsafe checksum.update(UnsafeRawBufferPointer(block))
          }
        }
      }
    }
    try file.requireChecksum(checksum.finalized())
  }
}

/// A complete temporary file that has not been moved into place yet.
package struct PreparedFile: Sendable {
  package let file: AtomicFile
  package let checksum: String
  package let byteCount: Int
}

extension SafetensorsHeader {
  /// Creates the header of a file that holds these groups, one after the other.
  ///
  /// - Precondition: The names of the groups are unique, and so are the patterns.
  package init(metadata: [String: String] = [:], groups: [String], shape: NetworkShape) {
    self.init(metadata: metadata)
    for group in groups {
      for table in shape.tables {
        append(
          TensorGroup.tensorName(group, table), .float32,
          shape: Array(repeating: Pattern.valuesPerCell, count: table.pattern.cells.count))
      }
    }
  }
}

/// A safetensors file that is open for reading, with a validated header.
///
/// Thread safety: any number of threads may read concurrently.
package struct SafetensorsFile: Sendable {
  /// The path of the file.
  package let path: String
  /// The header of the file.
  package let header: SafetensorsHeader
  /// The offset of the tensors in the file, in bytes.
  package let dataStart: Int
  /// The length of the file, in bytes.
  package var byteCount: Int { file.byteCount }

  package let file: InputFile

  /// Opens a file and validates its header and length, without reading the tensors.
  ///
  /// - Parameter limit: The limit on the bytes of the header.
  /// - Throws: `LocatedError` if the file cannot be read or is invalid.
  package init(path: String, limit: InputLimit = .weightHeader) throws {
    try self.init(InputFile(path: path), limit: limit)
  }

  /// Validates the header and the length of an open file.
  package init(_ file: InputFile, limit: InputLimit = .weightHeader) throws {
    path = file.path
    self.file = file
    let lengthByteCount = SafetensorsHeader.lengthByteCount
    guard file.byteCount >= lengthByteCount else {
      throw LocatedError.damaged(
        path, "byte \(file.byteCount)", "the file ends before its header")
    }
    let length = UInt64(littleEndianBytes: try file.bytes(at: 0, count: lengthByteCount))
    guard length <= UInt64(file.byteCount - lengthByteCount) else {
      throw LocatedError.damaged(
        path, "byte 0",
        "the header would have \(length) bytes, but the file has only \(file.byteCount)")
    }
    try limit.require(Int(length), path: path, place: "byte 0")
    dataStart = lengthByteCount + Int(length)
    header = try SafetensorsHeader(
      json: file.bytes(at: lengthByteCount, count: Int(length)),
      dataByteCount: file.byteCount - dataStart, path: path)
  }

  /// Fills `buffer` with the bytes at `offset`, relative to ``dataStart``.
  @unsafe
  package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws {
    unsafe try file.read(into: buffer, at: dataStart + offset)
  }

  /// Throws if the header states another checksum of the tensors.
  func requireChecksum(_ actual: String) throws {
    guard let stated = header.metadata[MetadataKey.checksum], actual != stated else { return }
    throw LocatedError.damaged(
      path, "tensors", "their checksum is \(actual), but the header states \(stated)",
      remedy:
        "if you changed the weights, leave both checksums out of the metadata; otherwise the file "
        + "is damaged: use another checkpoint, or copy it again")
  }
}
