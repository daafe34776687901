import Basics

/// The header of a safetensors file: the metadata, and the type, shape and position of each tensor.
///
/// A file consists of the length of the header (8 bytes, little-endian), the header, which is a JSON object
/// padded with spaces, and the tensors without gaps.
///
/// Source: the format description of the safetensors project.
package struct SafetensorsHeader: Hashable, Sendable {
  /// The description of one tensor.
  package struct Tensor: Hashable, Sendable {
    /// The name of the tensor.
    package let name: String
    /// The type of its elements.
    package let type: ElementType
    /// The extents of its axes, slowest first.
    package let shape: [Int]
    /// The range of its bytes, relative to the start of the data.
    package let byteRange: Range<Int>
  }

  /// The metadata.
  package var metadata: [String: String]
  /// The tensors in the order of their bytes.
  package private(set) var tensors: [Tensor]

  /// The number of bytes of the length field before the header.
  static let lengthByteCount = 8
  /// The alignment of the start of the data: one cache line.
  static let alignment = 64

  package init(metadata: [String: String] = [:], tensors: [Tensor] = []) {
    self.metadata = metadata
    self.tensors = tensors
  }

  /// The number of bytes of all tensors.
  package var dataByteCount: Int { tensors.last?.byteRange.upperBound ?? 0 }

  /// Appends a tensor.
  ///
  /// - Precondition: No tensor has this name, and the number of bytes fits into an `Int`.
  package mutating func append(_ name: String, _ type: ElementType, shape: [Int]) {
    let start = dataByteCount
    let byteCount = shape.reduce(type.byteCount, *)
    tensors.append(
      Tensor(name: name, type: type, shape: shape, byteRange: start..<(start + byteCount)))
  }

  /// Throws if readers would reject the header as too long.
  package func requireReadable(path: String, limit: InputLimit) throws {
    guard limit.allows(encoded().count - SafetensorsHeader.lengthByteCount) else {
      throw LocatedError(
        .unsuitableData, path: path, place: "metadata",
        "exceed the limit for \(limit.subject): \(limit.words)",
        remedy: "shorten the configuration or the run state")
    }
  }

  /// Returns the start of a file with this header: length, header and padding.
  ///
  /// Keys are sorted, so that equal contents produce equal files.
  package func encoded() -> [UInt8] {
    var text = "{\"__metadata__\":" + JSONValue.object(metadata.mapValues(JSONValue.string)).text
    for tensor in tensors {
      let shape = tensor.shape.map(String.init).joined(separator: ",")
      text += ",\(JSONValue.string(tensor.name).text):{\"dtype\":\"\(tensor.type.rawValue)\""
      text += ",\"shape\":[\(shape)],\"data_offsets\":"
      text += "[\(tensor.byteRange.lowerBound),\(tensor.byteRange.upperBound)]}"
    }
    text += "}"
    let unpadded = SafetensorsHeader.lengthByteCount + text.utf8.count
    let alignment = SafetensorsHeader.alignment
    let padding = (alignment - unpadded % alignment) % alignment
    let length = UInt64(text.utf8.count + padding)
    return length.littleEndianBytes + Array(text.utf8)
      + Array(repeating: UInt8(ascii: " "), count: padding)
  }
}
