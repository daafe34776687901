import NTupleNetwork

/// How far weights move for an error.
public struct StepSize: Sendable {
  /// Which weights move by how much of the learning rate.
  public enum Rule: Sendable {
    /// Every weight by all of it: temporal difference learning.
    case constant
    /// A weight by its coherence times the rate: temporal coherence learning.
    case coherent(TemporalCoherence)
  }

  public var rule: Rule
  /// The total α; each of m features moves by α/m of the error.
  public var learningRate: Float

  public init(_ rule: Rule = .constant, learningRate: Float) {
    self.rule = rule
    self.learningRate = learningRate
  }
}
