import NTupleNetwork

/// The tables that update rules keep beside the weights: a number for every weight, each under a name.
///
/// Play reads only weights. These are separate tables, so that they take no space in the cache lines
/// that play reads.
///
/// Thread safety: any number of threads may read and update; see ``SharedWeights``.
public final class Accumulators: Sendable {
  /// The shape of the network that the tables belong to.
  public let shape: NetworkShape
  /// The tables by name, in the order of the weights.
  public let tables: [String: SharedWeights]

  /// Tables of zeros for the rules of these methods.
  public convenience init(_ shape: NetworkShape, for methods: some Sequence<LearningMethod>) {
    let names = Set(methods.flatMap { $0.rule.accumulatorNames })
    self.init(
      shape,
      tables: Dictionary(
        uniqueKeysWithValues: names.map { ($0, SharedWeights(count: shape.storageCount)) }))
  }

  /// Tables as they were saved.
  ///
  /// - Precondition: each has the shape's ``NetworkShape/storageCount``.
  public init(_ shape: NetworkShape, tables: [String: SharedWeights]) {
    precondition(
      tables.values.allSatisfy { $0.count == shape.storageCount }, "a number for every weight")
    self.shape = shape
    self.tables = tables
  }

  /// The table of this name.
  ///
  /// - Precondition: there is one.
  public subscript(name: String) -> SharedWeights {
    guard let table = tables[name] else { preconditionFailure("no table \(name)") }
    return table
  }

  /// The number of tables that the rules of these methods keep.
  public static func count(for methods: some Sequence<LearningMethod>) -> Int {
    Set(methods.flatMap { $0.rule.accumulatorNames }).count
  }
}
