/// A phase in the life cycle of a training run.
///
/// `ready → training ⇄ evaluating ⇄ checkpointing → interrupted | finished | failed`
public enum RunPhase: String, Sendable {
  case ready, training, evaluating, checkpointing, interrupted, finished, failed

  /// The phases that may follow this one.
  var successors: [RunPhase] {
    switch self {
    case .ready: [.training, .failed]
    case .training: [.evaluating, .checkpointing, .failed]
    case .evaluating: [.training, .checkpointing, .failed]
    case .checkpointing: [.training, .evaluating, .interrupted, .finished, .failed]
    case .interrupted, .finished, .failed: []
    }
  }

  /// A transition that is not part of the life cycle.
  struct TransitionError: Error, Equatable, CustomStringConvertible {
    let from: RunPhase
    let to: RunPhase

    var description: String {
      "a run cannot change from \(from.rawValue) to \(to.rawValue)"
    }
  }

  /// Changes to `next`.
  ///
  /// - Throws: ``TransitionError`` if `next` is not among ``successors``.
  mutating func become(_ next: RunPhase) throws(TransitionError) {
    guard successors.contains(next) else { throw TransitionError(from: self, to: next) }
    self = next
  }
}
