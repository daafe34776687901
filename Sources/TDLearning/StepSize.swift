import NTupleNetwork

/// How far weights move for an error.
public struct StepSize: Sendable {
  /// Which weights move by how much of the learning rate.
  public enum Rule: Sendable {
    /// Every weight by all of it: temporal difference learning.
    case constant
    /// A weight by its coherence times the rate, but at most by all of the error: temporal coherence
    /// learning. A rate above 1 does not let a weight whose errors agree overshoot.
    case coherent(TemporalCoherence)
  }

  public var rule: Rule
  /// The total α; each of m features moves by α/m of the error.
  public var learningRate: Float

  /// The largest share of an error, over all m features.
  var largestShare: Float {
    if case .coherent = rule { min(1, learningRate) } else { learningRate }
  }

  /// How coherences scale steps, which ``largestShare`` scales then.
  var coherenceRule: CoherenceRule { CoherenceRule(gain: max(1, learningRate), memory: memory) }

  private let memory: Float

  /// - Parameter coherenceWindow: about how many of its last errors the coherence of a weight is of; 0
  ///   for all.
  public init(_ rule: Rule = .constant, learningRate: Float, coherenceWindow: Int = 0) {
    self.rule = rule
    self.learningRate = learningRate
    memory = coherenceWindow == 0 ? 1 : 1 - 1 / Float(coherenceWindow)
  }
}
