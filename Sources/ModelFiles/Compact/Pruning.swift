import NTupleNetwork

/// The read counts of a network, and the rule for the error that they allow.
public struct Pruning: Sendable {
  /// The number of reads of each weight, in memory order.
  public let reads: SharedWeights
  /// The rule that decides which entries are omitted.
  public let rule: CompactSummary.Pruning

  /// Creates a pruning rule with its read counts.
  public init(reads: SharedWeights, rule: CompactSummary.Pruning) {
    self.reads = reads
    self.rule = rule
  }
}

extension CompactSummary.Pruning {
  /// Returns the accepted error of a weight, in points.
  func acceptedError(reads: Float) -> Double {
    tolerance / ((Double(reads) + 0.5) / Double(games)).squareRoot()
  }
}
