import Basics

extension ConfigurationKey {
  /// The JSON Schema of a configuration, so that editors complete keys and check values.
  ///
  /// It accepts what ``ConfigurationReader`` accepts key by key. Combinations of keys that do not fit together
  /// are not part of it.
  public static var schemaText: String {
    var schema: JSONValue = [
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "title": "Configuration of learn2048 train",
    ]
    schema.insert(.object(ValueSchema.string), at: ["properties", schemaMember])
    for key in all {
      var place: [String] = []
      for name in key.names {
        schema.insert("object", at: place + ["type"])
        schema.insert(false, at: place + ["additionalProperties"])
        place += ["properties", name]
      }
      var members = key.schema
      members["description"] = .string(key.summary)
      members["default"] = key.defaultValue
      schema.insert(.object(members), at: place)
    }
    return schema.indentedText
  }

  /// The member of a configuration that names this schema. Training ignores it.
  static let schemaMember = "$schema"
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
