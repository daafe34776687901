import Basics
import Foundation

/// Whether a value fits a JSON Schema, with the keywords that the schemas of this program have.
package func accepts(_ schema: JSONValue, _ value: JSONValue) -> Bool {
  let members = schema.object ?? [:]
  func bound(_ keyword: String, _ holds: (Double, Double) -> Bool) -> Bool {
    guard let limit = members[keyword]?.double, let number = value.double else { return true }
    return holds(number, limit)
  }
  let isOfType =
    switch members["type"]?.string {
    case "string": value.string != nil
    case "integer": value.wholeNumber != nil
    case "number": value.double != nil
    case "array": value.array != nil
    case "object": value.object != nil
    case "boolean": value == .bool(true) || value == .bool(false)
    case "null": value == .null
    default: true
    }
  let isListed = members["enum"]?.array.map { list in
    list.contains { $0 == value || $0.wholeNumber != nil && $0.wholeNumber == value.wholeNumber }
  }
  let isEither = members["anyOf"]?.array.map { list in list.contains { accepts($0, value) } }
  let isPattern = members["pattern"]?.string.map { pattern in
    value.string.map { $0.range(of: pattern, options: .regularExpression) != nil } ?? true
  }
  guard isOfType, isListed ?? true, isEither ?? true, isPattern ?? true,
    bound("minimum", >=), bound("maximum", <=), bound("exclusiveMinimum", >),
    bound("exclusiveMaximum", <)
  else { return false }
  if let elements = value.array {
    if let least = members["minItems"]?.wholeNumber, elements.count < least { return false }
    if let most = members["maxItems"]?.wholeNumber, elements.count > most { return false }
    if let items = members["items"], !elements.allSatisfy({ accepts(items, $0) }) { return false }
    for (item, element) in zip(members["prefixItems"]?.array ?? [], elements)
    where !accepts(item, element) {
      return false
    }
  }
  guard let object = value.object else { return true }
  let required = members["required"]?.array?.compactMap(\.string) ?? []
  return required.allSatisfy { object[$0] != nil }
    && object.allSatisfy { name, member in
      if let schema = members["properties"]?.object?[name] { return accepts(schema, member) }
      // Without the keyword, further members are allowed.
      let others = members["additionalProperties"] ?? .bool(true)
      return others == .bool(true) || others != .bool(false) && accepts(others, member)
    }
}
