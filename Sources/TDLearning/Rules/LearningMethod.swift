import NTupleNetwork

/// An update rule that a configuration can name.
///
/// To add a rule, write a type that conforms to it, in a file of its own, and add its line to
/// ``LearningMethod/rules``.
public protocol NamedUpdateRule: UpdateRule {
  /// The name in configurations.
  static var name: String { get }
  /// The total learning rate that the literature uses.
  static var usualLearningRate: Double { get }
  /// The names of the tables that the rule keeps, with a number for every weight, as in state files.
  static var accumulatorNames: [String] { get }

  /// The rule for a total learning rate.
  ///
  /// - Parameter accumulators: the tables of ``accumulatorNames``, perhaps among others.
  init(_ settings: UpdateRuleSettings, accumulators: Accumulators)
}

/// What a rule is made from, besides its tables.
public struct UpdateRuleSettings: Sendable {
  /// The total α; each of m features moves by at most α/m of the error.
  public var learningRate: Float
  /// About how many of its last errors the coherence of a weight is of; 0 for all.
  public var coherenceWindow: Int

  public init(learningRate: Float, coherenceWindow: Int = 0) {
    self.learningRate = learningRate
    self.coherenceWindow = coherenceWindow
  }
}

/// The name of an update rule.
public struct LearningMethod: RawRepresentable, CaseIterable, Hashable, Sendable {
  /// All rules, in the order in which they are listed.
  static let rules: [any NamedUpdateRule.Type] = [
    TemporalDifference.self,
    TemporalCoherence.self,
  ]

  public static let allCases = rules.map { LearningMethod($0) }

  public let rawValue: String

  public init?(rawValue: String) {
    guard LearningMethod.rules.contains(where: { $0.name == rawValue }) else { return nil }
    self.rawValue = rawValue
  }

  private init(_ rule: any NamedUpdateRule.Type) { rawValue = rule.name }

  /// The rule of this name.
  public var rule: any NamedUpdateRule.Type {
    LearningMethod.rules.first { $0.name == rawValue }!
  }

  public static let td = LearningMethod(TemporalDifference.self)
  public static let tc = LearningMethod(TemporalCoherence.self)
}
