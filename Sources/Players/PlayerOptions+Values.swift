import Basics
import Evaluators

extension PlayerOptions {
  /// What `parse` makes of a value; nil if there is none.
  ///
  /// - Parameter allowed: what the value may be, for the message if `parse` makes nothing of it.
  func read<Value>(
    _ key: String, allowed: [String], _ parse: (String) -> Value?
  ) throws(PlayerSpecificationError) -> Value? {
    guard let text = values[key] else { return nil }
    guard let value = parse(text) else {
      throw .badValue(text, key: key, player: player, allowed: allowed)
    }
    return value
  }

  /// A whole number of a range, or its default.
  ///
  /// - Parameter word: what may stand in the number's place, for the message.
  func integer(
    _ key: String, in range: ClosedRange<Int>, default fallback: Int, orElse word: String? = nil
  ) throws(PlayerSpecificationError) -> Int {
    try read(
      key, allowed: ["\(range.lowerBound) to \(range.upperBound)"] + (word.map { [$0] } ?? [])
    ) {
      Count.read($0, in: range)
    } ?? fallback
  }

  /// One of a few words, or the default.
  func choice<Choice: CaseIterable & RawRepresentable<String>>(
    _ key: String, default fallback: Choice
  ) throws(PlayerSpecificationError) -> Choice {
    try read(key, allowed: Choice.allCases.map(\.rawValue)) { Choice(rawValue: $0) } ?? fallback
  }

  /// `yes` or `no`, or the default.
  func flag(_ key: String, default fallback: Bool) throws(PlayerSpecificationError) -> Bool {
    let answers = ["yes": true, "no": false]
    return try read(key, allowed: ["yes", "no"]) { answers[$0] } ?? fallback
  }

  /// A text that is not empty; nil if there is none.
  func text(_ key: String) throws(PlayerSpecificationError) -> String? {
    try read(key, allowed: ["a name or path"]) { $0.isEmpty ? nil : $0 }
  }

  /// The evaluator that is named, or the default.
  func evaluator(default fallback: EvaluatorName) throws(PlayerSpecificationError) -> EvaluatorName
  {
    try choice("evaluator", default: fallback)
  }
}
