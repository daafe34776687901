/// The life cycle of a training run.
///
/// `ready → training ⇄ evaluating ⇄ checkpointing → interrupted | finished | failed`
public enum RunPhase: String, Sendable {
  case ready, training, evaluating, checkpointing, interrupted, finished, failed

  /// The phases that may follow this one.
  public var successors: [RunPhase] {
    switch self {
    case .ready: [.training, .failed]
    case .training: [.evaluating, .checkpointing, .failed]
    case .evaluating: [.training, .checkpointing, .failed]
    case .checkpointing: [.training, .evaluating, .interrupted, .finished, .failed]
    case .interrupted, .finished, .failed: []
    }
  }

  /// A transition that the life cycle does not have.
  public struct TransitionError: Error, Equatable, CustomStringConvertible {
    public let from: RunPhase
    public let to: RunPhase

    public var description: String {
      "a run that is \(from.rawValue) cannot become \(to.rawValue); from there it can become "
        + (from.successors.isEmpty
          ? "nothing" : from.successors.map(\.rawValue).joined(separator: ", "))
    }
  }

  /// Goes on to `next`.
  ///
  /// - Throws: ``TransitionError`` if `next` is not among ``successors``.
  public mutating func become(_ next: RunPhase) throws(TransitionError) {
    guard successors.contains(next) else { throw TransitionError(from: self, to: next) }
    self = next
  }
}
