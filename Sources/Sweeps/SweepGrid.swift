import Basics

/// The combinations of the values of several configuration keys.
enum SweepGrid {
  /// Returns the settings of every combination, with a name such as `batchSize=64, lambda=0.5`.
  ///
  /// Keys are in alphabetical order, and the last one varies fastest.
  static func expand(
    _ values: [String: [JSONValue]]
  ) -> [(name: String, settings: [String: JSONValue])] {
    let keys = values.keys.sorted()
    let names = keys.map { key in shortName(key, among: keys) }
    var points: [(name: String, settings: [String: JSONValue])] = [("", [:])]
    for (key, name) in zip(keys, names) {
      points = points.flatMap { point in
        values[key, default: []].map { value in
          (
            name: (point.name.isEmpty ? "" : point.name + ", ") + "\(name)=\(text(value))",
            settings: point.settings.merging([key: value]) { $1 }
          )
        }
      }
    }
    return points
  }

  /// Returns the last part of a key, or the whole key if another one has the same last part.
  private static func shortName(_ key: String, among keys: [String]) -> String {
    func last(_ key: String) -> Substring { key.split(separator: ".").last ?? "" }
    return keys.count { last($0) == last(key) } > 1 ? key : String(last(key))
  }

  private static func text(_ value: JSONValue) -> String {
    if case .string(let text) = value { return text }
    return value.text
  }
}
