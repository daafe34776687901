import Checkpoints
import ModelFiles
import NTupleNetwork

extension RunState {
  private static let errors = "tc.error"
  private static let absoluteErrors = "tc.absolute"
  private static let learning = "learning"

  /// A state with the accumulators of temporal coherence, if there are any, and the weights that
  /// learn, where those of the checkpoint are their average.
  init(text: String, coherence: TemporalCoherence?, learning: SharedWeights?) {
    var groups =
      coherence.map {
        [
          TensorGroup(RunState.errors, $0.errors),
          TensorGroup(RunState.absoluteErrors, $0.absoluteErrors),
        ]
      } ?? []
    if let learning { groups.append(TensorGroup(RunState.learning, learning)) }
    self.init(text: text, accumulators: groups)
  }

  /// The weights that learn; nil if they are those of the checkpoint.
  var learningWeights: SharedWeights? { accumulator(RunState.learning) }

  /// The accumulators of temporal coherence for a network of this shape; nil if the state has none.
  func coherence(of shape: NetworkShape) -> TemporalCoherence? {
    guard let errors = accumulator(RunState.errors),
      let absoluteErrors = accumulator(RunState.absoluteErrors)
    else { return nil }
    return TemporalCoherence(shape, errors: errors, absoluteErrors: absoluteErrors)
  }
}
