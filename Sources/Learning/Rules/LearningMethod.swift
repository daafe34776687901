import NTupleNetwork

/// An update rule that a configuration can name.
///
/// To add a rule, write a type that conforms to this protocol in a separate file, and add it to the list
/// in ``LearningMethod``.
public protocol NamedUpdateRule: UpdateRule {
  /// The name in configurations.
  static var name: String { get }
  /// The total learning rate that is customary in the literature.
  static var usualLearningRate: Double { get }
  /// The names of the rule's tables, as in state files. Each table has one element per weight.
  static var accumulatorNames: [String] { get }

  /// Creates the rule.
  ///
  /// - Parameters:
  ///   - learningRate: The total learning rate α: each of m features moves by at most α/m of the error.
  ///   - accumulators: The tables named in ``accumulatorNames``, and possibly others.
  init(learningRate: Float, accumulators: Accumulators)
}

/// The name of an update rule.
public struct LearningMethod: RawRepresentable, CaseIterable, Hashable, Sendable {
  /// All rules, in the order in which they are listed.
  static let rules: [any NamedUpdateRule.Type] = [
    TemporalDifference.self,
    TemporalCoherence.self,
  ]

  /// The names of all rules, in the order of the list.
  public static let allCases = rules.map { LearningMethod($0) }

  /// The name as text.
  public let rawValue: String

  /// Creates a name, or returns nil if no rule has it.
  public init?(rawValue: String) {
    guard LearningMethod.rules.contains(where: { $0.name == rawValue }) else { return nil }
    self.rawValue = rawValue
  }

  private init(_ rule: any NamedUpdateRule.Type) { rawValue = rule.name }

  /// The type of the rule with this name.
  public var rule: any NamedUpdateRule.Type {
    LearningMethod.rules.first { $0.name == rawValue }!
  }

  /// The name of ``TemporalDifference``.
  public static let td = LearningMethod(TemporalDifference.self)
  /// The name of ``TemporalCoherence``.
  public static let tc = LearningMethod(TemporalCoherence.self)
}

/// The named tables of update rules, each with one element per weight.
///
/// Play reads only weights, so these are separate tables: they take no space in the cache lines that
/// play reads.
///
/// Thread safety: any number of threads may read and update; see `SharedWeights`.
public final class Accumulators: Sendable {
  /// The shape of the network that the tables belong to.
  public let shape: NetworkShape
  /// The tables by name. Their elements are in the order of the weights.
  public let tables: [String: SharedWeights]

  /// Creates tables of zeros for the rules of these methods.
  public convenience init(_ shape: NetworkShape, for methods: some Sequence<LearningMethod>) {
    let tables = Accumulators.names(for: methods).map {
      ($0, SharedWeights(count: shape.storageCount))
    }
    self.init(shape, tables: Dictionary(uniqueKeysWithValues: tables))
  }

  /// Creates accumulators from saved tables.
  ///
  /// - Precondition: The number of elements of each table is `NetworkShape.storageCount`.
  public init(_ shape: NetworkShape, tables: [String: SharedWeights]) {
    precondition(
      tables.values.allSatisfy { $0.count == shape.storageCount }, "a number for every weight")
    self.shape = shape
    self.tables = tables
  }

  /// The table with this name.
  ///
  /// - Precondition: The table exists.
  public subscript(name: String) -> SharedWeights {
    guard let table = tables[name] else { preconditionFailure("no table \(name)") }
    return table
  }

  /// Returns the names of the tables that the rules of these methods need.
  package static func names(for methods: some Sequence<LearningMethod>) -> Set<String> {
    Set(methods.flatMap { $0.rule.accumulatorNames })
  }
}
