import Basics

extension ConfigurationKey {
  /// The JSON Schema of a configuration, so that editors complete keys and check values.
  ///
  /// It accepts what ``ConfigurationReader`` accepts key by key. Combinations of keys that do not fit together
  /// are not part of it.
  public static var schemaText: String {
    var schema = Group()
    schema.properties[schemaMember] = .object(ValueSchema.string)
    for key in all { schema.insert(key, at: key.path.split(separator: ".").map(String.init)[...]) }
    var members = schema.members
    members["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    members["title"] = "Configuration of learn2048 train"
    return JSONValue.object(members).indentedText
  }

  /// The member of a configuration that names this schema. Training ignores it.
  static let schemaMember = "$schema"

  /// The keys of an object of the configuration.
  private struct Group {
    var properties: [String: JSONValue] = [:]
    private var groups: [String: Group] = [:]

    mutating func insert(_ key: ConfigurationKey, at path: ArraySlice<String>) {
      guard path.count == 1 else {
        groups[path.first!, default: Group()].insert(key, at: path.dropFirst())
        properties[path.first!] = .object(groups[path.first!]!.members)
        return
      }
      var members = key.schema
      members["description"] = .string(key.summary)
      members["default"] = key.defaultValue
      properties[path.first!] = .object(members)
    }

    var members: [String: JSONValue] {
      [
        "type": "object", "properties": .object(properties),
        "additionalProperties": false,
      ]
    }
  }
}

/// The JSON Schemas of single values.
enum ValueSchema {
  typealias Members = [String: JSONValue]

  static let string: Members = ["type": "string"]

  static func integer(_ range: ClosedRange<Int>) -> Members {
    var members: Members = ["type": "integer", "minimum": .integer(range.lowerBound)]
    if range.upperBound != .max { members["maximum"] = .integer(range.upperBound) }
    return members
  }

  static func number(_ range: ClosedRange<Double>) -> Members {
    [
      "type": "number", "minimum": .shortest(range.lowerBound),
      "maximum": .shortest(range.upperBound),
    ]
  }

  static func names(_ names: [String]) -> Members { ["enum": .array(names.map { .string($0) })] }

  /// Tiles with an exponent in a range, and 0 if `orNone` is true.
  static func tiles(_ exponents: ClosedRange<Int>, orNone: Bool) -> Members {
    ["enum": .array((orNone ? [0] : []) + exponents.map { .integer(1 << $0) })]
  }

  static func list(of element: Members, atLeast count: Int = 0) -> Members {
    [
      "type": "array", "items": .object(element), "minItems": .integer(count),
    ]
  }

  static func either(_ first: Members, _ second: Members) -> Members {
    ["anyOf": [.object(first), .object(second)]]
  }

  /// A value, or steps of shares of the run with a value each.
  static func schedule(of value: Members) -> Members {
    let share: Members = [
      "type": "number", "minimum": 0, "exclusiveMaximum": 1,
    ]
    let step: Members = [
      "type": "array", "prefixItems": [.object(share), .object(value)],
      "minItems": 2, "maxItems": 2,
    ]
    return either(value, list(of: step, atLeast: 1))
  }
}
