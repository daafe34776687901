import Basics

/// One key of a training configuration: its name, what it accepts, and where the value goes.
///
/// The list of all keys is the only place that knows them. Reading, writing, `--set`, the messages
/// and the reference in the documentation all follow it.
public struct ConfigurationKey {
  /// The key as written on the command line, such as `learning.batchSize`.
  public let path: String
  /// The values that are accepted, in words.
  public let allowed: String
  /// What the key does.
  public let summary: String
  /// Whether a resumed run may set it anew: it then decides nothing of what has been learned.
  public let mayChangeOnResume: Bool

  /// Stores a value; false if it is not one of those allowed.
  let read: (JSONValue, inout TrainingConfiguration) -> Bool
  let write: (TrainingConfiguration) -> JSONValue

  /// The default, as JSON.
  public var defaultText: String { write(TrainingConfiguration()).text }

  private init(
    _ path: String, allowed: String, summary: String, mayChangeOnResume: Bool,
    read: @escaping (JSONValue, inout TrainingConfiguration) -> Bool,
    write: @escaping (TrainingConfiguration) -> JSONValue
  ) {
    self.path = path
    self.allowed = allowed
    self.summary = summary
    self.mayChangeOnResume = mayChangeOnResume
    self.read = read
    self.write = write
  }

  /// A key whose value `parse` understands.
  static func value<Value>(
    _ path: String, _ field: WritableKeyPath<TrainingConfiguration, Value>, allowed: String,
    onResume: Bool = false, _ summary: String, parse: @escaping (JSONValue) -> Value?,
    format: @escaping (Value) -> JSONValue
  ) -> ConfigurationKey {
    ConfigurationKey(
      path, allowed: allowed, summary: summary, mayChangeOnResume: onResume,
      read: { json, configuration in
        guard let value = parse(json) else { return false }
        configuration[keyPath: field] = value
        return true
      },
      write: { format($0[keyPath: field]) })
  }

  /// A key for a whole number.
  static func integer(
    _ path: String, _ field: WritableKeyPath<TrainingConfiguration, Int>, _ range: ClosedRange<Int>,
    onResume: Bool = false, _ summary: String
  ) -> ConfigurationKey {
    let bounds =
      range.upperBound == .max
      ? "a whole number from \(range.lowerBound)"
      : "a whole number in \(range.lowerBound)...\(range.upperBound)"
    return value(
      path, field, allowed: bounds, onResume: onResume, summary,
      parse: { json in json.wholeNumber.flatMap { range.contains($0) ? $0 : nil } },
      format: { .integer($0) })
  }

  /// A key for a number.
  static func number(
    _ path: String, _ field: WritableKeyPath<TrainingConfiguration, Double>,
    _ range: ClosedRange<Double>, onResume: Bool = false, _ summary: String
  ) -> ConfigurationKey {
    value(
      path, field,
      allowed: "a number in \(JSONValue.shortest(range.lowerBound).text)..."
        + JSONValue.shortest(range.upperBound).text,
      onResume: onResume, summary,
      parse: { json in json.double.flatMap { range.contains($0) ? $0 : nil } },
      format: { .shortest($0) })
  }

  /// One of some names.
  static func named<Name: RawRepresentable>(_ json: JSONValue) -> Name?
  where Name.RawValue == String {
    guard case .string(let text) = json else { return nil }
    return Name(rawValue: text)
  }

  /// A key for one of some names.
  static func choice<Choice: RawRepresentable & CaseIterable>(
    _ path: String, _ field: WritableKeyPath<TrainingConfiguration, Choice>, _ summary: String,
    onResume: Bool = false
  ) -> ConfigurationKey where Choice.RawValue == String {
    value(
      path, field, allowed: "one of " + Choice.allCases.map(\.rawValue).joined(separator: ", "),
      onResume: onResume, summary,
      parse: { named($0) }, format: { .string($0.rawValue) })
  }
}
