/// A rule for the change of a weight by an error, and for the sums of errors that it keeps.
///
/// A rule handles one entry. The loops over all entries in ``NTupleNetwork`` are specialised for it.
///
/// Thread safety: any number of threads may use a rule; see ``SharedWeights``.
public protocol UpdateRule: Sendable {
  /// The largest share of an error by which all features together change.
  ///
  /// A step is `largestShare / m · e` for an error `e` and `m` features.
  var largestShare: Float { get }

  /// Whether the rule uses ``Correction/magnitude``.
  var readsMagnitudes: Bool { get }

  /// Returns whether the rule can update networks of this shape.
  func fits(_ shape: NetworkShape) -> Bool

  // Offsets come in two parts, so that loops over a table add the first part once.

  /// Requests the cache lines of the rule's tables for an entry.
  ///
  /// - Parameters:
  ///   - offset: The offset of the entry from the first one of its table.
  ///   - table: The offset of that one in the weights.
  @unsafe func prefetch(_ offset: Int, from table: Int)

  /// Returns the new weight of an entry after a correction, and updates the rule's tables.
  ///
  /// - Parameters:
  ///   - weight: The weight before the correction.
  ///   - correction: The step and the errors of the entry.
  ///   - offset: The offset of the entry from the first one of its table.
  ///   - table: The offset of that one in the weights.
  @unsafe func weight(
    _ weight: Float, after correction: Correction, at offset: Int, from table: Int
  ) -> Float

  /// Updates `network` by the features of a batch.
  ///
  /// It is a requirement with a default implementation, so that the loop is specialised for each rule.
  @unsafe func apply(to network: NTupleNetwork, _ features: FeatureRows)

  /// Updates distinct entries of `network`.
  @unsafe func apply(to network: NTupleNetwork, _ entries: FeatureSums)
}

/// The step and the errors of one entry.
public struct Correction {
  /// The largest change of the weight, in points; see ``UpdateRule/largestShare``.
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
  /// Updates `network` by the features of a batch.
  @inlinable
  @unsafe
  public func apply(to network: NTupleNetwork, _ features: FeatureRows) {
    unsafe network.update(features, by: self)
  }

  /// Updates distinct entries of `network`.
  @inlinable
  @unsafe
  public func apply(to network: NTupleNetwork, _ entries: FeatureSums) {
    unsafe network.update(entries, by: self)
  }
}
