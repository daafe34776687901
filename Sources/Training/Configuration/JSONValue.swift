import Foundation
import ModelFiles

/// A JSON document as read, before anything is known of what it should hold.
public enum JSONValue: Equatable, Sendable {
  case null
  case bool(Bool)
  case integer(Int)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  /// Reads the text of a document.
  ///
  /// - Parameter name: what messages call it: its path.
  /// - Throws: ``ConfigurationError`` with the line and column where it is not JSON.
  public init(document data: Data, name: String) throws(ConfigurationError) {
    let bytes = [UInt8](data)
    if let error = JSONSyntaxError.first(in: bytes) {
      let lines = bytes[..<error.byte].split(
        separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      let place = "line \(lines.count), column \((lines.last?.count ?? 0) + 1)"
      throw ConfigurationError(problems: [
        "\(name): \(place): is not valid JSON: it \(error.problem)"
      ])
    }
    do {
      self = try JSONDecoder().decode(JSONValue.self, from: data)
    } catch {
      throw ConfigurationError(problems: [
        "\(name): has a number that is too large or too small, such as 1e999"
      ])
    }
  }

  /// The document on one line, keys sorted: how messages show a value.
  public var text: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "?"
  }
}

extension JSONValue: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int.self) {
      self = .integer(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([JSONValue].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }

  public func encode(to encoder: any Encoder) throws {
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
