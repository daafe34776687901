import ModelFiles
import NTupleNetwork

extension RunState {
  private static let errors = "tc.error"
  private static let absoluteErrors = "tc.absolute"

  /// A state with the accumulators of temporal coherence, if there are any.
  init(text: String, coherence: TemporalCoherence?) {
    let groups = coherence.map {
      [
        TensorGroup(RunState.errors, $0.errors),
        TensorGroup(RunState.absoluteErrors, $0.absoluteErrors),
      ]
    }
    self.init(text: text, accumulators: groups ?? [])
  }

  /// The accumulators of temporal coherence for a network of this shape; nil if the state has none.
  func coherence(of shape: NetworkShape) -> TemporalCoherence? {
    guard let errors = accumulator(RunState.errors),
      let absoluteErrors = accumulator(RunState.absoluteErrors)
    else { return nil }
    return TemporalCoherence(shape, errors: errors, absoluteErrors: absoluteErrors)
  }
}
