import Checkpoints
import ModelFiles
import NTupleNetwork

extension SavedState {
  private static let errors = "tc.error"
  private static let absoluteErrors = "tc.absolute"
  private static let learning = "learning"

  /// Creates a state with the accumulators of temporal coherence, if there are any, and the weights
  /// that learn, if the checkpoint holds their average instead.
  init(text: String, coherence: TemporalCoherence?, learning: SharedWeights?) {
    let groups = [
      (SavedState.errors, coherence?.errors),
      (SavedState.absoluteErrors, coherence?.absoluteErrors),
      (SavedState.learning, learning),
    ]
    self.init(
      text: text,
      accumulators: groups.compactMap { name, values in values.map { TensorGroup(name, $0) } })
  }

  /// The weights that learn; nil if they are those of the checkpoint.
  var learningWeights: SharedWeights? { accumulator(SavedState.learning) }

  /// Returns the accumulators of temporal coherence for this shape; nil if there are none.
  func coherence(of shape: NetworkShape) -> TemporalCoherence? {
    guard let errors = accumulator(SavedState.errors),
      let absoluteErrors = accumulator(SavedState.absoluteErrors)
    else { return nil }
    return TemporalCoherence(shape, errors: errors, absoluteErrors: absoluteErrors)
  }
}
