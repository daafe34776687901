import Basics

/// A key of a training configuration. ``DocumentKey/all`` is the only list of keys: reading, writing, `--set`,
/// messages, the schema and the reference page all use it.
public typealias ConfigurationKey = DocumentKey<TrainingConfiguration>

/// A key of a JSON document that people write: its name, its allowed values and the field it sets.
public struct DocumentKey<Root>: Sendable {
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
  package let read: @Sendable (JSONValue, inout Root) -> Bool
  package let write: @Sendable (Root) -> JSONValue

  /// The names of the nested members that the path joins.
  var names: [String] { path.split(separator: ".").map(String.init) }

  /// The field of a document that a key sets.
  package typealias Setting<Value> = WritableKeyPath<Root, Value> & Sendable

  /// Returns a key whose values `parse` reads.
  package static func value<Value>(
    _ path: String, _ field: Setting<Value>, allowed: String,
    schema: [String: JSONValue], onResume: Bool = false, _ summary: String,
    parse: @escaping @Sendable (JSONValue) -> Value?,
    format: @escaping @Sendable (Value) -> JSONValue
  ) -> DocumentKey {
    DocumentKey(
      path: path, allowed: allowed, summary: summary, mayChangeOnResume: onResume, schema: schema,
      read: { json, configuration in
        guard let value = parse(json) else { return false }
        configuration[keyPath: field] = value
        return true
      },
      write: { format($0[keyPath: field]) })
  }

  /// Returns a key for a whole number.
  package static func integer(
    _ path: String, _ field: Setting<Int>, _ range: ClosedRange<Int>,
    onResume: Bool = false, _ summary: String
  ) -> DocumentKey {
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
  package static func number(
    _ path: String, _ field: Setting<Double>,
    _ range: ClosedRange<Double>, onResume: Bool = false, _ summary: String
  ) -> DocumentKey {
    value(
      path, field,
      allowed: "a number from \(JSONValue.shortest(range.lowerBound).text) to "
        + JSONValue.shortest(range.upperBound).text,
      schema: ValueSchema.number(range), onResume: onResume, summary,
      parse: { json in json.double.flatMap { range.contains($0) ? $0 : nil } },
      format: { .shortest($0) })
  }

  /// Returns the case that a string names; nil for any other value.
  package static func named<Name: RawRepresentable>(_ json: JSONValue) -> Name?
  where Name.RawValue == String {
    json.string.flatMap(Name.init)
  }

  /// Returns a key for one of several names.
  package static func choice<Choice: RawRepresentable & CaseIterable & SendableMetatype>(
    _ path: String, _ field: Setting<Choice>, _ summary: String,
    onResume: Bool = false
  ) -> DocumentKey where Choice.RawValue == String {
    value(
      path, field, allowed: "one of " + Choice.allCases.map(\.rawValue).joined(separator: ", "),
      schema: ValueSchema.names(Choice.allCases.map(\.rawValue)), onResume: onResume, summary,
      parse: { named($0) }, format: { .string($0.rawValue) })
  }

  /// Returns a key for a string.
  package static func text(
    _ path: String, _ field: Setting<String>, onResume: Bool = false, _ summary: String
  ) -> DocumentKey {
    value(
      path, field, allowed: "a string", schema: ["type": "string"], onResume: onResume, summary,
      parse: \.string, format: { .string($0) })
  }
}

extension ConfigurationKey {
  /// The default; nil if the key must be set.
  package var defaultValue: JSONValue? {
    path == "network.patterns" ? nil : write(TrainingConfiguration())
  }

  /// Returns the suggestion for an unknown key; empty if there is none.
  package static func suggestion(for path: String) -> String { suggestedKey(for: path, in: all) }
}

/// What other programs call keys, in lower case, by the name of the key here.
private let synonyms: [String: [String]] = [
  "learning.learningRate": ["lr", "rate", "alpha", "α", "learning_rate", "stepsize", "step_size"],
  "learning.lambda": ["λ", "lam", "gae_lambda", "trace_decay"],
  "learning.steps": ["n", "n_step", "n_steps", "nsteps"],
  "learning.batchSize": ["batch", "batch_size"],
  "learning.initialValue": ["optimistic", "init_value"],
  "network.patterns": ["tuples", "ntuples", "n_tuples"],
  "threads": ["workers", "num_workers", "n_envs"],
  "episodes": ["games", "n_episodes", "total_episodes"],
  "limit.moves": ["timesteps", "total_timesteps"],
]

/// What other programs have, and this one does not, by names in lower case.
private let absences =
  ["gamma", "γ", "discount"].map { ($0, " Rewards are not discounted: γ is 1.") }
  + ["epsilon", "ε", "eps", "exploration"].map {
    ($0, " Self-play is greedy: spawns alone explore, so ε is 0.")
  }

/// Returns the suggestion for an unknown key: a key that other programs call so, a key of the same name in another
/// group, or else a key or group of a similar path, or else a key of a similar name; empty if there is none.
private func suggestedKey<Root>(for path: String, in keys: [DocumentKey<Root>]) -> String {
  func name(_ path: String) -> String { String(path.split(separator: ".").last ?? "") }
  let paths = keys.map(\.path)
  let groups = paths.compactMap { path in path.lastIndex(of: ".").map { String(path[..<$0]) } }
  let last = name(path).lowercased()
  if let absence = absences.first(where: { $0.0 == last }) { return absence.1 }
  let found =
    paths.first { synonyms[$0]?.contains(last) == true }
    ?? paths.first { name($0).lowercased() == last }
    ?? nearestName(to: path, in: paths + groups)
    ?? nearestName(to: name(path), in: paths.map(name)).flatMap { found in
      paths.first { name($0) == found }
    }
  return found.map { " Did you mean '\($0)'?" } ?? ""
}

/// A reader of the keys of JSON documents, which collects their problems.
package struct DocumentReader<Root> {
  private let keys: [DocumentKey<Root>]
  /// The place of the document in a larger one for messages, such as `rungs[0].`.
  private let place: String
  package var problems = ProblemList()
  /// The keys with a rejected value, and those of groups with one.
  package private(set) var refusedKeys: Set<String> = []

  package init(keys: [DocumentKey<Root>], place: String = "") {
    (self.keys, self.place) = (keys, place)
  }

  /// Rejects the value of a key.
  mutating func refuse(_ path: String, _ problem: String) {
    refusedKeys.insert(path)
    problems.append(problem)
  }

  /// Sets the fields that a document sets.
  ///
  /// - Parameter name: The name of the file for messages.
  package mutating func read(
    _ members: [String: JSONValue], into document: inout Root, name: String
  ) {
    for (path, value) in settings(of: members, name: name) {
      guard let key = key(at: path, for: value, name: name) else { continue }
      store(value, at: key, in: &document, name: name)
    }
  }

  /// Returns the values that a document gives keys, whose paths are nested or dotted.
  mutating func settings(
    of members: [String: JSONValue], name: String
  ) -> [(path: String, value: JSONValue)] {
    var found: [(path: String, value: JSONValue)] = []
    var paths: Set<String> = []
    func visit(_ members: [String: JSONValue], _ prefix: String) {
      for (member, value) in members.sorted(by: { $0.key < $1.key }) {
        let path = prefix + member
        if path == schemaMember, value.string != nil { continue }
        let group = path + "."
        if let inner = value.object, keys.contains(where: { $0.path.hasPrefix(group) }) {
          visit(inner, group)
        } else if paths.insert(path).inserted {
          found.append((path, value))
        } else {
          problems.append(
            "\(name): \(place)\(path) is given twice, in an object and with a dot. Give it once.")
        }
      }
    }
    visit(members, "")
    return found
  }

  /// Returns the key with a path; nil with a problem if there is none.
  mutating func key(
    at path: String, for value: JSONValue, name: String
  ) -> DocumentKey<Root>? {
    if let key = keys.first(where: { $0.path == path }) { return key }
    let prefix = path + "."
    let group = keys.map(\.path).filter { $0.hasPrefix(prefix) }
    if group.isEmpty {
      problems.append("\(name): unknown key '\(place)\(path)'.\(suggestedKey(for: path, in: keys))")
    } else {
      refusedKeys.formUnion(group)
      problems.append(
        "\(name): \(place)\(path) = \(value.text) must be an object with "
          + group.joined(separator: ", ") + ".")
    }
    return nil
  }

  /// Sets the field of a key; returns false with a problem if the value is not allowed.
  @discardableResult
  mutating func store(
    _ value: JSONValue, at key: DocumentKey<Root>, in document: inout Root, name: String
  ) -> Bool {
    if key.read(value, &document) { return true }
    refusedKeys.insert(key.path)
    problems.append(
      "\(name): \(place)\(key.path) = \(value.text) is not allowed. Use \(key.allowed).")
    return false
  }
}

/// The member of a document that names its schema, which readers ignore.
let schemaMember = "$schema"
