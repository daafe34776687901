/// How far a weight moves for an error, and what is remembered of its errors.
///
/// A rule is written once, entry by entry; the traversals of ``NTupleNetwork`` are compiled for it.
///
/// Thread safety: any number of threads may use a rule; see ``SharedWeights``.
public protocol UpdateRule: Sendable {
  /// The factor, over all features, by which an error is scaled to a step before ``weight(_:after:at:)``
  /// sees it.
  var largestShare: Float { get }

  /// Whether the rule reads ``Correction/magnitude``.
  var readsMagnitudes: Bool { get }

  /// Whether the tables that the rule keeps belong to networks of this shape.
  func fits(_ shape: NetworkShape) -> Bool

  /// Asks for the cache lines of the tables that the rule keeps beside the weights.
  ///
  /// - Parameter offset: the offset of an entry in the weights.
  @unsafe func prefetch(_ offset: Int)

  /// Returns the weight that an entry has after a correction, and updates what the rule keeps of it.
  ///
  /// - Parameter offset: the offset of the entry in the weights.
  @unsafe func weight(_ weight: Float, after correction: Correction, at offset: Int) -> Float

  /// Applies ``NTupleNetwork/update(_:by:)`` with this rule to the features of a batch.
  ///
  /// A requirement with a default, so that the traversal is compiled for each rule.
  @unsafe func apply(to network: NTupleNetwork, _ features: FeatureRows)

  /// Applies ``NTupleNetwork/update(_:by:)`` with this rule to distinct entries.
  @unsafe func apply(to network: NTupleNetwork, _ entries: FeatureSums)
}

/// What an error asks of one entry.
public struct Correction {
  /// The change of the weight, in points, if the rule takes all of ``UpdateRule/largestShare``.
  public let step: Float
  /// The error, or the sum of the errors, in points.
  public let error: Float
  /// The magnitude of the error, or the sum of the magnitudes, in points.
  public let magnitude: Float

  @inlinable
  @inline(__always)
  init(step: Float, error: Float, magnitude: Float) {
    self.step = step
    self.error = error
    self.magnitude = magnitude
  }
}

extension UpdateRule {
  @inlinable
  @unsafe
  public func apply(to network: NTupleNetwork, _ features: FeatureRows) {
    unsafe network.update(features, by: self)
  }

  @inlinable
  @unsafe
  public func apply(to network: NTupleNetwork, _ entries: FeatureSums) {
    unsafe network.update(entries, by: self)
  }
}
