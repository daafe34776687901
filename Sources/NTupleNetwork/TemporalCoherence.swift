/// What temporal coherence keeps of the errors that each weight has seen: their sum E and the sum A of
/// their magnitudes.
///
/// The coherence of a weight is `|E| / A`, 1 while A is 0: near 1 as long as its errors agree in sign,
/// near 0 once they cancel out. It scales the steps of the weight.
///
/// The sums may fade, so that a coherence is of the last errors; see ``CoherenceRule/memory``.
///
/// Play reads only weights. The accumulators are tables of their own, so that they take no room in the
/// cache lines that play reads.
///
/// Source: Beal and Smith, "Temporal coherence and prediction decay in TD learning", 1999;
/// Jaśkowski, "Mastering 2048 with delayed temporal coherence learning, multistage weight promotion,
/// redundant encoding, and carousel shaping", 2017.
///
/// Thread safety: any number of threads may read and update; see ``SharedWeights``.
public final class TemporalCoherence: Sendable {
  /// The shape of the network that the accumulators belong to.
  public let shape: NetworkShape
  /// E of every weight, in the order of the weights; in points.
  public let errors: SharedWeights
  /// A of every weight, in the order of the weights; in points.
  public let absoluteErrors: SharedWeights

  /// Accumulators that have seen nothing.
  public convenience init(_ shape: NetworkShape) {
    self.init(
      shape, errors: SharedWeights(count: shape.storageCount),
      absoluteErrors: SharedWeights(count: shape.storageCount))
  }

  /// Accumulators as they were saved.
  ///
  /// - Precondition: both have the shape's ``NetworkShape/storageCount``.
  public init(_ shape: NetworkShape, errors: SharedWeights, absoluteErrors: SharedWeights) {
    precondition(errors.count == shape.storageCount, "a sum for every weight")
    precondition(absoluteErrors.count == shape.storageCount, "a sum for every weight")
    self.shape = shape
    self.errors = errors
    self.absoluteErrors = absoluteErrors
  }

  /// The memory that accumulators for a network of this shape take, in bytes.
  public static func byteCount(_ shape: NetworkShape) -> Int { 2 * shape.byteCount }
}

/// How the coherence of a weight scales its steps, and how long it remembers.
@frozen
public struct CoherenceRule: Sendable {
  /// What multiplies a coherence.
  public let gain: Float
  /// The share of its sums that an update keeps: 1 for the sums of all errors, `1 − 1/n` for about the
  /// last `n`.
  public let memory: Float

  /// - Precondition: `gain` is not negative, and `memory` in 0...1.
  public init(gain: Float, memory: Float) {
    precondition(gain >= 0 && memory >= 0 && memory <= 1, "no such rule of coherence")
    self.gain = gain
    self.memory = memory
  }

  /// By which share of its step a weight with these sums moves: ``gain`` times its coherence, at most 1.
  ///
  /// |E| is never above A, unless workers overtake each other between the stores of the two; then a
  /// share above 1 would feed on itself.
  @inlinable
  @inline(__always)
  func share(error: Float, absoluteError: Float) -> Float {
    let raised = gain * error.magnitude
    return raised < absoluteError ? raised / absoluteError : 1
  }
}
