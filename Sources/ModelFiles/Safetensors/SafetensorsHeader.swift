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

  /// The tensors by name.
  package var tensorsByName: [String: Tensor] {
    Dictionary(uniqueKeysWithValues: tensors.map { ($0.name, $0) })
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

/// The type of the elements of a tensor; raw values are those of the safetensors format.
///
/// Files of this project contain `F32` and `U8`. The others are known so that messages can name the type of a tensor that
/// is rejected.
package enum ElementType: String, Hashable, Sendable {
  case bool = "BOOL"
  case uint8 = "U8"
  case int8 = "I8"
  case float8e5m2 = "F8_E5M2"
  case float8e4m3 = "F8_E4M3"
  case float8e8m0 = "F8_E8M0"
  case int16 = "I16"
  case uint16 = "U16"
  case float16 = "F16"
  case bfloat16 = "BF16"
  case int32 = "I32"
  case uint32 = "U32"
  case float32 = "F32"
  case complex64 = "C64"
  case float64 = "F64"
  case int64 = "I64"
  case uint64 = "U64"

  /// The size of an element, in bytes.
  package var byteCount: Int {
    switch self {
    case .bool, .uint8, .int8, .float8e5m2, .float8e4m3, .float8e8m0: 1
    case .int16, .uint16, .float16, .bfloat16: 2
    case .int32, .uint32, .float32: 4
    case .complex64, .float64, .int64, .uint64: 8
    }
  }
}

extension SafetensorsHeader {
  /// Parses and validates a header.
  ///
  /// - Parameters:
  ///   - json: The bytes of the header, which start at byte 8 of the file.
  ///   - dataByteCount: The number of bytes after the header.
  /// - Throws: `LocatedError` if the header is invalid.
  init(json: [UInt8], dataByteCount: Int, path: String) throws {
    guard json.first == UInt8(ascii: "{") else {
      throw LocatedError.damaged(
        path, "byte 8", "the header does not start with '{', so this is not a safetensors file",
        remedy: "check that the path names a weight file")
    }
    let members: [String: JSONValue]
    do {
      members = try JSONParser.parse(json).object ?? [:]
    } catch let error {
      throw LocatedError.damaged(
        path, "byte \(SafetensorsHeader.lengthByteCount + error.byte)",
        "the header \(error.problem)")
    }
    func damaged(_ place: String, _ member: String..., problem: String) -> LocatedError {
      let byte = JSONParser.byte(ofMember: member, in: json) ?? 0
      return .damaged(
        path, "\(place) (byte \(SafetensorsHeader.lengthByteCount + byte))", problem)
    }
    func metadata(_ value: JSONValue) throws -> [String: String] {
      let key = "__metadata__"
      guard let members = value.object else {
        throw damaged(key, key, problem: "is not an object")
      }
      var metadata: [String: String] = [:]
      for (field, value) in members.sorted(by: { $0.key < $1.key }) {
        guard let text = value.string else {
          throw damaged("metadata key '\(field)'", key, field, problem: "is not a string")
        }
        metadata[field] = text
      }
      return metadata
    }
    func tensor(_ name: String, _ value: JSONValue) throws -> Tensor {
      let place = "tensor '\(name)'"
      guard let fields = value.object else {
        throw damaged(place, name, problem: "is not described by an object")
      }
      func field(_ key: String) throws -> JSONValue {
        guard let field = fields[key] else {
          throw damaged(place, name, problem: "has no '\(key)'")
        }
        return field
      }
      guard let type = try field("dtype").string.flatMap(ElementType.init) else {
        throw damaged(place, name, "dtype", problem: "has an unknown dtype")
      }
      guard let axes = try field("shape").array, case let shape = axes.compactMap(\.count),
        shape.count == axes.count
      else {
        throw damaged(place, name, "shape", problem: "has a shape that is not a list of sizes")
      }
      let offsets = try field("data_offsets").array
      guard let ends = offsets?.compactMap(\.count), ends.count == 2, offsets?.count == 2,
        ends[0] <= ends[1]
      else {
        throw damaged(
          place, name, "data_offsets", problem: "has data_offsets that are not a byte range")
      }
      var byteCount = type.byteCount
      for extent in shape {
        let (product, overflow) = byteCount.multipliedReportingOverflow(by: extent)
        guard !overflow else {
          throw damaged(place, name, "shape", problem: "has a shape that overflows")
        }
        byteCount = product
      }
      guard byteCount == ends[1] - ends[0] else {
        throw damaged(
          place, name, "data_offsets",
          problem: "has \(ends[1] - ends[0]) bytes, but its shape \(shape) needs \(byteCount)")
      }
      return Tensor(name: name, type: type, shape: shape, byteRange: ends[0]..<ends[1])
    }
    var fields: [String: String] = [:]
    var tensors: [Tensor] = []
    for (name, value) in members.sorted(by: { $0.key < $1.key }) {
      if name == "__metadata__" {
        fields = try metadata(value)
      } else {
        tensors.append(try tensor(name, value))
      }
    }
    tensors.sort {
      ($0.byteRange.lowerBound, $0.byteRange.upperBound)
        < ($1.byteRange.lowerBound, $1.byteRange.upperBound)
    }
    self.init(metadata: fields, tensors: tensors)
    try checkContiguity(dataByteCount: dataByteCount, path: path)
  }

  private func checkContiguity(dataByteCount: Int, path: String) throws {
    var end = 0
    for tensor in tensors {
      guard tensor.byteRange.lowerBound == end else {
        let problem = tensor.byteRange.lowerBound > end ? "leaves a gap before" : "overlaps"
        throw LocatedError.damaged(
          path, "tensor '\(tensor.name)'",
          "starts at data byte \(tensor.byteRange.lowerBound), which \(problem) byte \(end)")
      }
      end = tensor.byteRange.upperBound
    }
    guard end == dataByteCount else {
      throw LocatedError.damaged(
        path, "data",
        dataByteCount < end
          ? "the file is truncated: it has \(dataByteCount) of \(end) bytes of tensors"
          : "the file has \(dataByteCount - end) bytes after its last tensor")
    }
  }
}
