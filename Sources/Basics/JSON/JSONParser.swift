/// A strict JSON parser for untrusted text.
///
/// In addition to RFC 8259 it rejects duplicate keys in an object, numbers that a `Double` cannot hold,
/// nesting deeper than ``depthLimit``, and more values than `InputLimit.values`.
///
/// - Complexity: O(bytes).
package struct JSONParser {
  static let depthLimit = 16

  private let bytes: [UInt8]
  private var next = 0
  private var valueCount = 0
  /// The path of the member that is searched for, and the byte at which its value starts.
  private var target: ArraySlice<String>?
  private var targetByte: Int?

  /// Parses a text, which may have white space around its value.
  ///
  /// - Throws: ``JSONSyntaxError``.
  package static func parse(_ bytes: [UInt8]) throws(JSONSyntaxError) -> JSONValue {
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw JSONSyntaxError(byte: firstInvalidByte(bytes), problem: "is not UTF-8 text")
    }
    var parser = JSONParser(bytes: bytes)
    return try parser.document()
  }

  /// Returns the byte at which the value of a member of nested objects starts, such as
  /// `["tensor", "dtype"]`; nil if there is no such member.
  package static func byte(ofMember path: [String], in bytes: [UInt8]) -> Int? {
    var parser = JSONParser(bytes: bytes)
    parser.target = path[...]
    _ = try? parser.document()
    return parser.targetByte
  }

  private mutating func document() throws(JSONSyntaxError) -> JSONValue {
    let value = try value(depth: 0)
    skipSpace()
    guard next == bytes.count else { throw error("has text after its end") }
    return value
  }

  private static func firstInvalidByte(_ bytes: [UInt8]) -> Int {
    var parser = Unicode.UTF8.ForwardParser()
    var iterator = bytes.makeIterator()
    var byte = 0
    while case .valid(let scalar) = parser.parseScalar(from: &iterator) { byte += scalar.count }
    return byte
  }

  private func error(_ problem: String) -> JSONSyntaxError {
    JSONSyntaxError(byte: next, problem: problem)
  }

  private var peek: UInt8? { next < bytes.count ? bytes[next] : nil }

  private mutating func skipSpace() {
    while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      next += 1
    }
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard peek == UInt8(ascii: character) else { return false }
    next += 1
    return true
  }

  private mutating func value(depth: Int) throws(JSONSyntaxError) -> JSONValue {
    guard depth < JSONParser.depthLimit else { throw error("is nested too deeply") }
    valueCount += 1
    guard InputLimit.values.allows(valueCount) else {
      throw error("has more than \(InputLimit.values.words)")
    }
    skipSpace()
    if target?.isEmpty == true { targetByte = next }
    switch peek {
    case UInt8(ascii: "{"): return try object(depth: depth)
    case UInt8(ascii: "["): return try array(depth: depth)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return try number()
    }
  }

  private mutating func object(depth: Int) throws(JSONSyntaxError) -> JSONValue {
    next += 1
    var members: [String: JSONValue] = [:]
    skipSpace()
    if take("}") { return .object([:]) }
    let path = target
    defer { target = path }
    while true {
      guard peek == UInt8(ascii: "\"") else { throw error("lacks a key here") }
      let start = next
      let key = try string()
      guard members[key] == nil else {
        throw JSONSyntaxError(byte: start, problem: "has the key '\(key)' twice")
      }
      skipSpace()
      guard take(":") else { throw error("lacks a ':' here") }
      target = path?.first == key ? path?.dropFirst() : nil
      members[key] = try value(depth: depth + 1)
      skipSpace()
      if take("}") { return .object(members) }
      try comma(before: "}")
    }
  }

  private mutating func array(depth: Int) throws(JSONSyntaxError) -> JSONValue {
    next += 1
    var elements: [JSONValue] = []
    let path = target
    target = nil
    defer { target = path }
    skipSpace()
    if take("]") { return .array([]) }
    while true {
      elements.append(try value(depth: depth + 1))
      skipSpace()
      if take("]") { return .array(elements) }
      try comma(before: "]")
    }
  }

  /// Takes a comma, after which the object or array must not end, and the space after it.
  private mutating func comma(before end: Unicode.Scalar) throws(JSONSyntaxError) {
    let comma = next
    guard take(",") else { throw error("lacks a ',' or '\(end)' here") }
    skipSpace()
    if peek == UInt8(ascii: end) {
      throw JSONSyntaxError(byte: comma, problem: "has a trailing comma before '\(end)' here")
    }
  }

  private mutating func word(
    _ text: String, _ value: JSONValue
  ) throws(JSONSyntaxError) -> JSONValue {
    guard bytes[next...].starts(with: text.utf8) else { throw error("has an unknown word here") }
    next += text.utf8.count
    return value
  }

  private mutating func number() throws(JSONSyntaxError) -> JSONValue {
    let start = next
    _ = take("-")
    if !take("0") { try takeDigits(or: "lacks a value here") }
    if take(".") { try takeDigits(or: "lacks a digit here") }
    if take("e") || take("E") {
      if !take("+") { _ = take("-") }
      try takeDigits(or: "lacks a digit here")
    }
    let digits = String(decoding: bytes[start..<next], as: UTF8.self)
    // -0 is not an integer: its sign would be lost.
    if digits != "-0", let value = Int(digits) { return .integer(value) }
    guard let value = Double(digits), value.isFinite, value.isNormal || value == 0 else {
      throw JSONSyntaxError(
        byte: start, problem: "has a number that is too large or too small here")
    }
    return .number(value)
  }

  private mutating func takeDigits(or problem: String) throws(JSONSyntaxError) {
    let count = bytes[next...].prefix { (0x30...0x39).contains($0) }.count
    if count == 0 { throw error(problem) }
    next += count
  }

  // MARK: Strings

  private mutating func string() throws(JSONSyntaxError) -> String {
    next += 1
    var text: [UInt8] = []
    var start = next
    while let byte = peek {
      switch byte {
      case UInt8(ascii: "\""):
        text += bytes[start..<next]
        next += 1
        return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"):
        text += bytes[start..<next]
        next += 1
        text.append(contentsOf: String(Character(try escape())).utf8)
        start = next
      case 0..<0x20:
        throw error("has a control character in a string here")
      default:
        next += 1
      }
    }
    throw error("ends within a string")
  }

  private mutating func escape() throws(JSONSyntaxError) -> Unicode.Scalar {
    guard let byte = peek else { throw error("ends within a string") }
    next += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return try unicodeEscape()
    default:
      next -= 1
      throw error("has an unknown escape here")
    }
  }

  private mutating func unicodeEscape() throws(JSONSyntaxError) -> Unicode.Scalar {
    let high = try fourHexDigits()
    if let scalar = Unicode.Scalar(high) { return scalar }
    guard high < 0xDC00, take("\\"), take("u") else { throw error("has half a surrogate pair") }
    let low = try fourHexDigits()
    guard (0xDC00...0xDFFF).contains(low),
      let scalar = Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
    else { throw error("has half a surrogate pair") }
    return scalar
  }

  private mutating func fourHexDigits() throws(JSONSyntaxError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = peek, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw error("lacks a hexadecimal digit here")
      }
      value = value << 4 | UInt32(digit)
      next += 1
    }
    return value
  }
}
