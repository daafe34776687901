import NTupleNetwork

/// The stage rule in metadata, such as `{"exponents": [14], "kind": "largestTile"}`.
struct StageFields: Codable {
  var kind: String
  var exponents: [Int]

  init(_ rule: StageRule) {
    kind = rule.kind.rawValue
    exponents = rule.exponents
  }

  /// The stage rule; nil if it is invalid or has only one stage.
  var rule: StageRule? {
    StageRule.Kind(rawValue: kind).flatMap { StageRule($0, checking: exponents) }
  }
}
