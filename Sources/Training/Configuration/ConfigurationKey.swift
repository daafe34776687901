import Basics

/// A key of a training configuration: its name, its allowed values and the field it sets.
///
/// ``all`` is the only list of keys. Reading, writing, `--set`, messages and the reference page
/// all use it.
public struct ConfigurationKey: Sendable {
  /// The key as written on the command line, such as `learning.batchSize`.
  public let path: String
  /// The allowed values as a noun phrase, such as `a whole number of at least 1`.
  public let allowed: String
  /// The meaning of the key, in sentences.
  public let summary: String
  /// Whether a resumed run may change the value.
  public let mayChangeOnResume: Bool
  /// The members of the JSON Schema of the values.
  let schema: [String: JSONValue]

  /// Stores a value; returns false if it is not allowed.
  let read: @Sendable (JSONValue, inout TrainingConfiguration) -> Bool
  let write: @Sendable (TrainingConfiguration) -> JSONValue

  /// The default; nil if the key must be set.
  package var defaultValue: JSONValue? {
    path == "network.patterns" ? nil : write(TrainingConfiguration())
  }

  /// The names of the nested members that the path joins.
  var names: [String] { path.split(separator: ".").map(String.init) }

  /// The field of a configuration that a key sets.
  typealias Field<Value> = WritableKeyPath<TrainingConfiguration, Value> & Sendable

  /// Returns a key whose values `parse` reads.
  static func value<Value>(
    _ path: String, _ field: Field<Value>, allowed: String,
    schema: [String: JSONValue], onResume: Bool = false, _ summary: String,
    parse: @escaping @Sendable (JSONValue) -> Value?,
    format: @escaping @Sendable (Value) -> JSONValue
  ) -> ConfigurationKey {
    ConfigurationKey(
      path: path, allowed: allowed, summary: summary, mayChangeOnResume: onResume, schema: schema,
      read: { json, configuration in
        guard let value = parse(json) else { return false }
        configuration[keyPath: field] = value
        return true
      },
      write: { format($0[keyPath: field]) })
  }

  /// Returns a key for a whole number.
  static func integer(
    _ path: String, _ field: Field<Int>, _ range: ClosedRange<Int>,
    onResume: Bool = false, _ summary: String
  ) -> ConfigurationKey {
    let bounds =
      range.upperBound == .max
      ? "a whole number of at least \(range.lowerBound) and below 2^63"
      : "a whole number from \(range.lowerBound) to \(range.upperBound)"
    return value(
      path, field, allowed: bounds, schema: ValueSchema.integer(range), onResume: onResume, summary,
      parse: { json in json.wholeNumber.flatMap { range.contains($0) ? $0 : nil } },
      format: { .integer($0) })
  }

  /// Returns a key for a number.
  static func number(
    _ path: String, _ field: Field<Double>,
    _ range: ClosedRange<Double>, onResume: Bool = false, _ summary: String
  ) -> ConfigurationKey {
    value(
      path, field,
      allowed: "a number from \(JSONValue.shortest(range.lowerBound).text) to "
        + JSONValue.shortest(range.upperBound).text,
      schema: ValueSchema.number(range), onResume: onResume, summary,
      parse: { json in json.double.flatMap { range.contains($0) ? $0 : nil } },
      format: { .shortest($0) })
  }

  /// Returns the case that a string names; nil for any other value.
  static func named<Name: RawRepresentable>(_ json: JSONValue) -> Name?
  where Name.RawValue == String {
    json.string.flatMap(Name.init)
  }

  /// Returns a key for one of several names.
  static func choice<Choice: RawRepresentable & CaseIterable & SendableMetatype>(
    _ path: String, _ field: Field<Choice>, _ summary: String,
    onResume: Bool = false
  ) -> ConfigurationKey where Choice.RawValue == String {
    value(
      path, field, allowed: "one of " + Choice.allCases.map(\.rawValue).joined(separator: ", "),
      schema: ValueSchema.names(Choice.allCases.map(\.rawValue)), onResume: onResume, summary,
      parse: { named($0) }, format: { .string($0.rawValue) })
  }

  /// Returns the suggestion for an unknown key: a key of the same name in another group, or else a key or group of a
  /// similar path, or else a key of a similar name; empty if there is none.
  package static func suggestion(for path: String) -> String {
    func name(_ path: String) -> String { String(path.split(separator: ".").last ?? "") }
    let paths = all.map(\.path)
    let groups = paths.compactMap { path in path.lastIndex(of: ".").map { String(path[..<$0]) } }
    let found =
      paths.first { name($0).lowercased() == name(path).lowercased() }
      ?? nearestName(to: path, in: paths + groups)
      ?? nearestName(to: name(path), in: paths.map(name)).flatMap { found in
        paths.first { name($0) == found }
      }
    return found.map { " Did you mean '\($0)'?" } ?? ""
  }
}
