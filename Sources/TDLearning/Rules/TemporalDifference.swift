import NTupleNetwork

/// Temporal difference learning: every weight moves by the same share of its error, `w += α/m · e`.
///
/// Source: Szubert and Jaśkowski, "Temporal difference learning of n-tuple networks for the game 2048",
/// 2014.
public struct TemporalDifference: NamedUpdateRule {
  public static let name = "td"
  public static let usualLearningRate = 0.1
  public static let accumulatorNames: [String] = []

  public let largestShare: Float

  /// The rule for a total learning rate α.
  public init(learningRate: Float) { largestShare = learningRate }

  public init(_ settings: UpdateRuleSettings, accumulators: Accumulators) {
    self.init(learningRate: settings.learningRate)
  }

  public var readsMagnitudes: Bool { false }

  public func fits(_ shape: NetworkShape) -> Bool { true }

  @inlinable
  @inline(__always)
  @unsafe
  public func prefetch(_ offset: Int) {}

  @inlinable
  @inline(__always)
  @unsafe
  public func weight(_ weight: Float, after correction: Correction, at offset: Int) -> Float {
    weight + correction.step
  }
}
