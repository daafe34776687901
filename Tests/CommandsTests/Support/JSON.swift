import Foundation
import Testing

/// A JSON document, with accessors for tests.
struct JSON: Equatable {
  private let value: NSObject?

  /// - Throws: An error if `text` is not a JSON document.
  init(_ text: some StringProtocol) throws {
    value =
      try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
      as? NSObject
  }

  private init(_ value: Any?) {
    self.value = value as? NSObject
  }

  subscript(key: String) -> JSON { JSON((value as? [String: Any])?[key]) }
  subscript(index: Int) -> JSON {
    guard let array = value as? [Any], array.indices.contains(index) else { return JSON(nil) }
    return JSON(array[index])
  }

  /// The keys of an object.
  var keys: Set<String> { Set((value as? [String: Any] ?? [:]).keys) }
  var array: [JSON] { (value as? [Any] ?? []).map { JSON($0) } }
  var isNull: Bool { value == nil || value is NSNull }

  /// The value if it is a string, a Boolean or a number.
  var string: String? { value as? String }
  var bool: Bool? { value as? Bool }
  var number: Double? { value as? Double }
  var integer: Int? { value as? Int }
}
