/// A JSON value, with the byte of the text at which it starts.
struct JSONValue {
  enum Content {
    case null
    case bool(Bool)
    /// The digits as they stand: nothing is rounded or overflows here.
    case number(String)
    case string(String)
    case array([JSONValue])
    case object([Member])
  }

  struct Member {
    let key: String
    let value: JSONValue
  }

  let byte: Int
  let content: Content

  var string: String? {
    if case .string(let text) = content { text } else { nil }
  }

  var array: [JSONValue]? {
    if case .array(let elements) = content { elements } else { nil }
  }

  var object: [Member]? {
    if case .object(let members) = content { members } else { nil }
  }

  /// The value if it is a whole number that is not negative and fits.
  var count: Int? {
    guard case .number(let digits) = content, digits.allSatisfy(\.isNumber) else { return nil }
    return Int(digits)
  }
}

/// Where a text stops being JSON.
public struct JSONSyntaxError: Error, Hashable, Sendable {
  /// Counted from the start of the text.
  public let byte: Int
  /// What is wrong there, as `lacks a value here`.
  public let problem: String

  /// The first error of a text, a key that occurs twice in an object included; nil if it is JSON.
  public static func first(in bytes: [UInt8]) -> JSONSyntaxError? {
    do {
      _ = try JSONParser.parse(bytes)
      return nil
    } catch {
      return error
    }
  }
}
