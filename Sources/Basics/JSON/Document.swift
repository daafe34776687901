/// A type whose values are parts of JSON documents.
package protocol DocumentValue: SendableMetatype {
  /// The JSON Schema of the values.
  static var schema: ValueSchema.Members { get }
  /// The documented places within a value, such as `.mean` or `[].name`; empty for a simple value.
  static var places: [DocumentedPlace] { get }
  var json: JSONValue { get }
}

extension DocumentValue {
  package static var places: [DocumentedPlace] { [] }
}

/// A type whose values are JSON objects with documented fields.
///
/// All that is printed about a value follows from the list: the object, its schema, its rows in the reference, and the
/// columns or lines of its text.
package protocol Document: DocumentValue {
  static var fields: [Field<Self>] { get }
}

/// A place in a document, as the reference lists it.
package struct DocumentedPlace: Sendable {
  /// The path, such as `rows[].mean`.
  package var path: String
  package let unit: String
  package let meaning: String

  /// Returns the place within a value that lies at a path.
  fileprivate func within(_ path: String) -> DocumentedPlace {
    var place = self
    place.path = path + self.path
    return place
  }
}

/// A field of the documents about values of a type.
package struct Field<Root>: Sendable {
  /// A column of a table for people, or a line of a description.
  package struct Column: Sendable {
    package let title: String
    /// Returns the text; nil if there is nothing to say.
    package let text: @Sendable (Root) -> String?
  }

  package let name: String
  /// Whether documents may lack the field.
  package let isOptional: Bool
  /// The field, unless only the places within its value are documented, and these places.
  package let places: [DocumentedPlace]
  package private(set) var columns: [Column] = []
  fileprivate let schema: ValueSchema.Members
  /// Returns the value; nil if the document lacks it.
  fileprivate let json: @Sendable (Root) -> JSONValue?

  /// Creates a field that every document has. A value that is nil is null.
  ///
  /// - Parameters:
  ///   - meaning: The meaning, in sentences; empty if only the places within the value are documented.
  ///   - schema: The schema of the value, if it is stricter than that of its type.
  ///   - isListed: Whether the reference lists the places within the value.
  package init<Value: DocumentValue>(
    _ name: String, _ value: @escaping @Sendable (Root) -> Value, unit: String = "",
    _ meaning: String = "", schema: ValueSchema.Members? = nil, isListed: Bool = true
  ) {
    self.init(
      name, unit, meaning, schema ?? Value.schema, isListed ? Value.places : [], isOptional: false
    ) { value($0).json }
  }

  /// Creates a field that documents lack if its value is nil.
  package init<Value: DocumentValue>(
    optional name: String, _ value: @escaping @Sendable (Root) -> Value?, unit: String = "",
    _ meaning: String, isListed: Bool = true
  ) {
    self.init(
      name, unit, meaning, Value.schema, isListed ? Value.places : [], isOptional: true
    ) { value($0)?.json }
  }

  /// Creates a field whose value is an object with other fields.
  package init(_ name: String, _ fields: [Field]) {
    let places = fields.flatMap(\.places).map { $0.within(".") }
    self.init(name, "", "", Field.schema(of: fields), places, isOptional: false) {
      Field.json(of: $0, fields)
    }
    columns = fields.flatMap(\.columns)
  }

  private init(
    _ name: String, _ unit: String, _ meaning: String, _ schema: ValueSchema.Members,
    _ inner: [DocumentedPlace], isOptional: Bool, json: @escaping @Sendable (Root) -> JSONValue?
  ) {
    self.name = name
    self.isOptional = isOptional
    self.json = json
    let description = meaning + (unit.isEmpty ? "" : " Unit: \(unit).")
    self.schema =
      meaning.isEmpty ? schema : schema.merging(["description": .string(description)]) { $1 }
    let own = DocumentedPlace(path: name, unit: unit, meaning: meaning)
    places = (meaning.isEmpty ? [] : [own]) + inner.map { $0.within(name) }
  }

  private init<Inner>(
    _ field: Field<Inner>, isListed: Bool, of inner: @escaping @Sendable (Root) -> Inner
  ) {
    (name, isOptional, schema) = (field.name, field.isOptional, field.schema)
    places = isListed ? field.places : []
    json = { field.json(inner($0)) }
    columns = field.columns.map { column in
      Column(title: column.title) { column.text(inner($0)) }
    }
  }

  /// Returns the field with a further column or line.
  package func column(
    _ title: String, _ text: @escaping @Sendable (Root) -> String?
  ) -> Field {
    var field = self
    field.columns.append(Column(title: title, text: text))
    return field
  }

  /// Returns the field of documents about values that contain a root.
  ///
  /// - Parameter isListed: Whether the reference lists the field there, too.
  package func of<Outer>(
    _ root: @escaping @Sendable (Outer) -> Root, isListed: Bool = true
  ) -> Field<Outer> {
    Field<Outer>(self, isListed: isListed, of: root)
  }

  fileprivate static func json(of root: Root, _ fields: [Field]) -> JSONValue {
    let members = fields.compactMap { field in field.json(root).map { (field.name, $0) } }
    return .object(Dictionary(uniqueKeysWithValues: members))
  }

  fileprivate static func schema(of fields: [Field]) -> ValueSchema.Members {
    let properties = fields.map { ($0.name, JSONValue.object($0.schema)) }
    return [
      "type": "object", "additionalProperties": false,
      "properties": .object(Dictionary(uniqueKeysWithValues: properties)),
      "required": .array(fields.filter { !$0.isOptional }.map { .string($0.name) }),
    ]
  }
}

extension Document {
  package static var schema: ValueSchema.Members { Field.schema(of: fields) }
  package static var places: [DocumentedPlace] { fields.flatMap(\.places).map { $0.within(".") } }
  package var json: JSONValue { Field.json(of: self, Self.fields) }

  /// Returns the columns of values as rows for `alignedTable`, below their titles. What is missing is a dash.
  package static func table(_ values: [Self]) -> [[String]] {
    let columns = fields.flatMap(\.columns)
    return [columns.map(\.title)]
      + values.map { value in columns.map { $0.text(value) ?? "-" } }
  }

  /// Returns a heading, and below it the lines that have something to say.
  package func description(_ heading: String) -> String {
    let lines = Self.fields.flatMap(\.columns).compactMap { column in
      column.text(self).map { column.title.padded(to: 10) + $0 }
    }
    return ([heading] + lines).joined(separator: "\n")
  }
}

extension DocumentValue {
  /// The places as a table of the reference, in Markdown.
  package static var placeTable: String {
    let rows = places.map { place in
      let unit = place.unit.isEmpty ? "" : " (\(place.unit))"
      return ["`\(place.path.trimmingPrefix("."))`\(unit)", place.meaning]
    }
    return markdownTable(["key", "meaning"], rows)
  }
}

/// The JSON Schemas of single values.
package enum ValueSchema {
  package typealias Members = [String: JSONValue]

  package static let string: Members = ["type": "string"]

  package static func integer(_ range: ClosedRange<Int>) -> Members {
    var members: Members = ["type": "integer", "minimum": .integer(range.lowerBound)]
    if range.upperBound != .max { members["maximum"] = .integer(range.upperBound) }
    return members
  }

  package static func number(_ range: ClosedRange<Double>) -> Members {
    [
      "type": "number", "minimum": .shortest(range.lowerBound),
      "maximum": .shortest(range.upperBound),
    ]
  }

  package static func names(_ names: [String]) -> Members {
    ["enum": .array(names.map { .string($0) })]
  }

  /// Tiles with an exponent in a range, and 0 if `orNone` is true.
  package static func tiles(_ exponents: ClosedRange<Int>, orNone: Bool) -> Members {
    ["enum": .array((orNone ? [0] : []) + exponents.map { .integer(1 << $0) })]
  }

  package static func list(of element: Members, atLeast count: Int = 0) -> Members {
    [
      "type": "array", "items": .object(element), "minItems": .integer(count),
    ]
  }

  /// Two numbers, such as the ends of an interval.
  package static let pair: Members = [
    "type": "array", "items": ["type": "number"], "minItems": 2, "maxItems": 2,
  ]

  package static func either(_ first: Members, _ second: Members) -> Members {
    ["anyOf": [.object(first), .object(second)]]
  }

  /// A value, or steps of shares of the run with a value each.
  package static func schedule(of value: Members) -> Members {
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

// MARK: Values

extension Bool: DocumentValue {
  package static var schema: ValueSchema.Members { ["type": "boolean"] }
  package var json: JSONValue { .bool(self) }
}

/// Whole numbers of documents are counts.
extension Int: DocumentValue {
  package static var schema: ValueSchema.Members { ValueSchema.integer(0...Int.max) }
  package var json: JSONValue { .integer(self) }
}

extension UInt64: DocumentValue {
  package static var schema: ValueSchema.Members { Int.schema }
  package var json: JSONValue { Int(exactly: self).map { .integer($0) } ?? .number(Double(self)) }
}

extension Float: DocumentValue {
  package static var schema: ValueSchema.Members { Double.schema }
  /// The number with as few digits as identify it as a `Float`.
  package var json: JSONValue { .number(Double("\(self)") ?? Double(self)) }
}

extension Double: DocumentValue {
  package static var schema: ValueSchema.Members { ["type": "number"] }
  package var json: JSONValue { .number(self) }
}

extension String: DocumentValue {
  package static var schema: ValueSchema.Members { ValueSchema.string }
  package var json: JSONValue { .string(self) }
}

extension JSONValue: DocumentValue {
  package static var schema: ValueSchema.Members { [:] }
  package var json: JSONValue { self }
}

extension Optional: DocumentValue where Wrapped: DocumentValue {
  package static var schema: ValueSchema.Members {
    ValueSchema.either(Wrapped.schema, ["type": "null"])
  }
  package static var places: [DocumentedPlace] { Wrapped.places }
  package var json: JSONValue { self?.json ?? .null }
}

extension Array: DocumentValue where Element: DocumentValue {
  package static var schema: ValueSchema.Members { ValueSchema.list(of: Element.schema) }
  package static var places: [DocumentedPlace] { Element.places.map { $0.within("[]") } }
  package var json: JSONValue { .array(map(\.json)) }
}

extension Dictionary: DocumentValue where Key == String, Value: DocumentValue {
  package static var schema: ValueSchema.Members {
    ["type": "object", "additionalProperties": .object(Value.schema)]
  }
  package var json: JSONValue { .object(mapValues(\.json)) }
}
