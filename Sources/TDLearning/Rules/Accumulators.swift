import NTupleNetwork

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
