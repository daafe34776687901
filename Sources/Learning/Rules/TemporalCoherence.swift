import CIntrinsics
import NTupleNetwork

/// Temporal coherence learning: a weight moves by the learning rate times the coherence of its errors,
/// `w += min(1, α · |E| / A) / m · e`.
///
/// E is the sum of the errors of a weight, and A is the sum of their magnitudes. The coherence `|E| / A`
/// is 1 while A is 0. It stays near 1 as long as the errors agree in sign, and falls towards 0 once they
/// cancel out. The minimum keeps weights from overshooting with a learning rate above 1.
///
/// Source: Beal and Smith, "Temporal coherence and prediction decay in TD learning", 1999; Jaśkowski,
/// "Mastering 2048 with delayed temporal coherence learning, multistage weight promotion, redundant
/// encoding, and carousel shaping", 2017.
///
/// Safety: (1) `accumulators` keeps `errors` and `magnitudes` alive; (2) both have an element for every
/// weight of the networks that the rule fits, and the loops over entries check that it fits.
@safe
public struct TemporalCoherence: NamedUpdateRule, @unchecked Sendable {
  /// The name in configurations.
  public static let name = "tc"
  /// The total learning rate that is customary in the literature.
  public static let usualLearningRate = 1.0
  /// The names of the tables of E and A.
  public static let accumulatorNames = [errorName, magnitudeName]

  /// The name of the table of E.
  package static let errorName = "tc.error"
  /// The name of the table of A, which is 0 where a weight has never been updated.
  package static let magnitudeName = "tc.absolute"

  /// The learning rate, but at most 1.
  public let largestShare: Float
  /// The factor of a coherence: the learning rate, but at least 1.
  @usableFromInline let gain: Float
  private let accumulators: Accumulators
  @usableFromInline let errors: UnsafeMutablePointer<Float>
  @usableFromInline let magnitudes: UnsafeMutablePointer<Float>

  /// Creates the rule on its tables in `accumulators`.
  public init(learningRate: Float, accumulators: Accumulators) {
    largestShare = min(1, learningRate)
    gain = max(1, learningRate)
    self.accumulators = accumulators
    unsafe errors = accumulators[TemporalCoherence.errorName].base
    unsafe magnitudes = accumulators[TemporalCoherence.magnitudeName].base
  }

  /// True, for the sum A.
  public var readsMagnitudes: Bool { true }

  /// Returns whether the tables belong to networks of this shape.
  public func fits(_ shape: NetworkShape) -> Bool { accumulators.shape == shape }

  /// Requests the cache lines of E and A for an entry.
  @inlinable
  @inline(__always)
  @unsafe
  public func prefetch(_ offset: Int, from table: Int) {
    unsafe ci_prefetch_for_writing(errors + table + offset)
    unsafe ci_prefetch_for_writing(magnitudes + table + offset)
  }

  /// Returns the new weight of an entry after a correction, and updates E and A.
  @inlinable
  @inline(__always)
  @unsafe
  public func weight(
    _ weight: Float, after correction: Correction, at offset: Int, from table: Int
  ) -> Float {
    let (errors, magnitudes) = unsafe (errors + table, magnitudes + table)
    let error = unsafe ci_load_relaxed(errors + offset)
    let magnitude = unsafe ci_load_relaxed(magnitudes + offset)
    unsafe ci_store_relaxed(errors + offset, error + correction.error)
    unsafe ci_store_relaxed(magnitudes + offset, magnitude + correction.magnitude)
    // |E| can be above A only if two workers interleave their stores to E and A. Without the limit, a
    // share above 1 would then reinforce itself. While A is 0, the ratio is not a number, and the share is 1.
    let ratio = gain * error.magnitude / magnitude
    let share = ratio < 1 ? ratio : 1
    return weight + share * correction.step
  }
}
