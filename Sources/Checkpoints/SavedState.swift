import ModelFiles
import NTupleNetwork

/// The content of a run's state file: what the run needs besides its weights to continue as if it
/// had not stopped.
package struct SavedState: Sendable {
  /// The state of the run as JSON text, which this module does not read.
  package var text: String
  /// Numbers kept for every weight, such as `tc.error` and `tc.absolute`.
  package var accumulators: [TensorGroup]

  package init(text: String, accumulators: [TensorGroup] = []) {
    self.text = text
    self.accumulators = accumulators
  }

  /// Returns the accumulator of this name.
  package func accumulator(_ name: String) -> SharedWeights? {
    accumulators.first { $0.name == name }?.values
  }
}
