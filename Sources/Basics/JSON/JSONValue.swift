import Foundation

/// A JSON value.
///
/// ``JSONParser`` reads one from untrusted text.
package enum JSONValue: Equatable, Sendable {
  case null
  case bool(Bool)
  case integer(Int)
  /// A finite number with a fraction or an exponent, or one too large for an `Int`.
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  /// The value as text on one line, with sorted keys.
  package var text: String { text([]) }

  /// The value as text on several indented lines, with sorted keys.
  package var indentedText: String { text(.prettyPrinted) }

  private func text(_ formatting: JSONEncoder.OutputFormatting) -> String {
    // Numbers are finite, so encoding cannot fail.
    (try? JSONEncoder.text(self, formatting)) ?? "null"
  }

  /// The text if this is a string.
  package var string: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// The elements if this is an array.
  package var array: [JSONValue]? {
    if case .array(let elements) = self { elements } else { nil }
  }

  /// The members if this is an object.
  package var object: [String: JSONValue]? {
    if case .object(let members) = self { members } else { nil }
  }

  /// The value if this is an integer of at least 0, written without an exponent.
  package var count: Int? {
    if case .integer(let value) = self, value >= 0 { value } else { nil }
  }

  /// The value if this is a whole number, written as 100000 or 1e5.
  package var wholeNumber: Int? {
    switch self {
    case .integer(let value): value
    case .number(let value): Int(exactly: value)
    default: nil
    }
  }

  /// The value if this is a number.
  package var double: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .number(let value): value
    default: nil
    }
  }

  /// Returns a number, as an integer if it is whole.
  ///
  /// - Precondition: `value` is finite.
  package static func shortest(_ value: Double) -> JSONValue {
    Int(exactly: value).map { .integer($0) } ?? .number(value)
  }
}

extension JSONValue: Encodable {
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .number(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .array(let value): try container.encode(value)
    case .object(let value): try container.encode(value)
    }
  }
}

extension JSONEncoder {
  /// Returns a value as JSON text with sorted keys.
  ///
  /// - Throws: the error of the encoder, for example if a number is not finite.
  package static func text(
    _ value: some Encodable, _ formatting: OutputFormatting = []
  ) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = formatting.union([.sortedKeys, .withoutEscapingSlashes])
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }
}

/// The reason why a text is not valid JSON.
package struct JSONSyntaxError: Error, Hashable, Sendable {
  /// The offset from the start of the text.
  package let byte: Int
  /// The problem, as the end of a sentence such as "the header lacks a value here".
  package let problem: String

  /// The line and column of the error in `bytes`, both from 1.
  package func place(in bytes: [UInt8]) -> String {
    let lines = bytes[..<byte].split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    return "line \(lines.count), column \((lines.last?.count ?? 0) + 1)"
  }
}

// Constant documents, such as schemas, are written as literals.

extension JSONValue: ExpressibleByStringLiteral {
  package init(stringLiteral value: String) { self = .string(value) }
}

extension JSONValue: ExpressibleByBooleanLiteral {
  package init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension JSONValue: ExpressibleByIntegerLiteral {
  package init(integerLiteral value: Int) { self = .integer(value) }
}

extension JSONValue: ExpressibleByArrayLiteral {
  package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
}

extension JSONValue: ExpressibleByDictionaryLiteral {
  package init(dictionaryLiteral members: (String, JSONValue)...) {
    self = .object(Dictionary(uniqueKeysWithValues: members))
  }
}
