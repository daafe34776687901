import NTupleNetwork

/// Temporal difference learning: every weight moves by the same share of the error, `w += α/m · e`.
///
/// Source: Szubert and Jaśkowski, "Temporal difference learning of n-tuple networks for the game 2048",
/// 2014.
public struct TemporalDifference: NamedUpdateRule {
  /// The name in configurations.
  public static let name = "td"
  /// The total learning rate that is customary in the literature.
  public static let usualLearningRate = 0.1
  /// No names, because the rule has no tables.
  public static let accumulatorNames: [String] = []

  /// The total learning rate.
  public let largestShare: Float

  /// Creates the rule for a total learning rate α.
  public init(learningRate: Float) { largestShare = learningRate }

  /// Creates the rule, which has neither coherences nor tables.
  public init(learningRate: Float, accumulators: Accumulators) {
    self.init(learningRate: learningRate)
  }

  /// False, because a step depends on the error only.
  public var readsMagnitudes: Bool { false }

  /// Returns true, because the rule has no tables.
  public func fits(_ shape: NetworkShape) -> Bool { true }

  /// Does nothing, because the rule has no tables.
  @inlinable
  @inline(__always)
  @unsafe
  public func prefetch(_ offset: Int, from table: Int) {}

  /// Returns the weight plus the step of the correction.
  @inlinable
  @inline(__always)
  @unsafe
  public func weight(
    _ weight: Float, after correction: Correction, at offset: Int, from table: Int
  ) -> Float {
    weight + correction.step
  }
}
