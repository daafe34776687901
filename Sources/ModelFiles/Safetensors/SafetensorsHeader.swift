/// The header of a safetensors file: its metadata, and where each tensor lies.
///
/// The file is 8 bytes of header length (little-endian), the header, a JSON object padded with
/// spaces, and the tensors without a gap. Source: the format description of the safetensors project.
public struct SafetensorsHeader: Hashable, Sendable {
  /// One tensor.
  public struct Tensor: Hashable, Sendable {
    public let name: String
    public let type: ElementType
    /// The extents of its axes, slowest first.
    public let shape: [Int]
    /// Its bytes, counted from the start of the data.
    public let byteRange: Range<Int>
  }

  public var metadata: [String: String]
  /// The tensors in the order of their bytes.
  public private(set) var tensors: [Tensor] = []

  /// The bytes of the length before the header.
  static let lengthByteCount = 8
  /// The longest header that is read, as in the reference implementation.
  static let largestByteCount = 100_000_000
  /// The data start at a multiple of this, one cache line.
  static let alignment = 64

  /// A header without tensors.
  public init(metadata: [String: String] = [:]) {
    self.metadata = metadata
  }

  init(metadata: [String: String], tensors: [Tensor]) {
    self.metadata = metadata
    self.tensors = tensors
  }

  /// The bytes of all tensors.
  public var dataByteCount: Int { tensors.last?.byteRange.upperBound ?? 0 }

  /// Adds a tensor behind the others.
  ///
  /// - Precondition: the name is new, and the size fits into an integer.
  public mutating func append(_ name: String, _ type: ElementType, shape: [Int]) {
    precondition(!tensors.contains { $0.name == name }, "the tensor \(name) is there already")
    appendNew(name, type, shape: shape)
  }

  /// The same without a search for the name.
  mutating func appendNew(_ name: String, _ type: ElementType, shape: [Int]) {
    let start = dataByteCount
    let byteCount = shape.reduce(type.byteCount, *)
    tensors.append(
      Tensor(name: name, type: type, shape: shape, byteRange: start..<(start + byteCount)))
  }

  /// The start of a file with this header: length, header, padding.
  ///
  /// Keys are sorted, so that equal contents make equal files.
  public func encoded() -> [UInt8] {
    var text = "{\"__metadata__\":{"
    text += metadata.sorted { $0.key < $1.key }
      .map { "\(JSONText.quoted($0.key)):\(JSONText.quoted($0.value))" }
      .joined(separator: ",")
    text += "}"
    for tensor in tensors {
      let shape = tensor.shape.map(String.init).joined(separator: ",")
      text += ",\(JSONText.quoted(tensor.name)):{\"dtype\":\"\(tensor.type.rawValue)\""
      text += ",\"shape\":[\(shape)],\"data_offsets\":"
      text += "[\(tensor.byteRange.lowerBound),\(tensor.byteRange.upperBound)]}"
    }
    text += "}"
    let unpadded = SafetensorsHeader.lengthByteCount + text.utf8.count
    let alignment = SafetensorsHeader.alignment
    let padding = (alignment - unpadded % alignment) % alignment
    let length = UInt64(text.utf8.count + padding)
    return (0..<8).map { UInt8(truncatingIfNeeded: length >> (8 * $0)) }
      + Array(text.utf8) + Array(repeating: UInt8(ascii: " "), count: padding)
  }
}

/// Writing of JSON strings.
enum JSONText {
  /// The text as a JSON string, in quotes.
  static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\u{0}"..."\u{1F}":
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
