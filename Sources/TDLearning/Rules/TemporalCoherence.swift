import CIntrinsics
import NTupleNetwork

/// Temporal coherence learning: a weight moves by the learning rate times the coherence of its errors,
/// `w += min(1, α · |E| / A) / m · e`.
///
/// E is the sum of the errors that a weight has seen, A the sum of their magnitudes. The coherence
/// `|E| / A` is 1 while A is 0. It stays near 1 as long as the errors agree in sign, and falls towards 0
/// once they cancel out. A rate above 1 does not let a weight overshoot whose errors agree.
///
/// With a window of n errors both sums fade, `E ← (1 − 1/n) E + e`, so that a coherence is that of about
/// the last n.
///
/// Source: Beal and Smith, "Temporal coherence and prediction decay in TD learning", 1999; Jaśkowski,
/// "Mastering 2048 with delayed temporal coherence learning, multistage weight promotion, redundant
/// encoding, and carousel shaping", 2017.
///
/// Safety: (1) `accumulators` keeps `errors` and `magnitudes` alive; (2) they hold a number for every weight
/// of the networks that the rule fits, which the traversals check.
@safe
public struct TemporalCoherence: NamedUpdateRule, @unchecked Sendable {
  public static let name = "tc"
  public static let usualLearningRate = 1.0
  public static let accumulatorNames = [errorName, magnitudeName]

  /// The name of the table of E.
  public static let errorName = "tc.error"
  /// The name of the table of A, which is 0 where a weight has never been updated.
  public static let magnitudeName = "tc.absolute"

  public let largestShare: Float
  /// The factor of a coherence.
  @usableFromInline let gain: Float
  /// The share of its sums that an update keeps.
  @usableFromInline let memory: Float
  private let accumulators: Accumulators
  @usableFromInline let errors: UnsafeMutablePointer<Float>
  @usableFromInline let magnitudes: UnsafeMutablePointer<Float>

  public init(_ settings: UpdateRuleSettings, accumulators: Accumulators) {
    largestShare = min(1, settings.learningRate)
    gain = max(1, settings.learningRate)
    memory = settings.coherenceWindow == 0 ? 1 : 1 - 1 / Float(settings.coherenceWindow)
    self.accumulators = accumulators
    unsafe errors = accumulators[TemporalCoherence.errorName].base
    unsafe magnitudes = accumulators[TemporalCoherence.magnitudeName].base
  }

  public var readsMagnitudes: Bool { true }

  public func fits(_ shape: NetworkShape) -> Bool { accumulators.shape == shape }

  @inlinable
  @inline(__always)
  @unsafe
  public func prefetch(_ offset: Int) {
    unsafe ci_prefetch_for_writing(errors + offset)
    unsafe ci_prefetch_for_writing(magnitudes + offset)
  }

  @inlinable
  @inline(__always)
  @unsafe
  public func weight(_ weight: Float, after correction: Correction, at offset: Int) -> Float {
    let error = unsafe ci_load_relaxed(errors + offset)
    let magnitude = unsafe ci_load_relaxed(magnitudes + offset)
    unsafe ci_store_relaxed(errors + offset, memory * error + correction.error)
    unsafe ci_store_relaxed(magnitudes + offset, memory * magnitude + correction.magnitude)
    // |E| is above A only where workers overtake each other between the stores of the two; then a share
    // above 1 would feed on itself.
    let raised = gain * error.magnitude
    let share = raised < magnitude ? raised / magnitude : 1
    return weight + share * correction.step
  }
}
