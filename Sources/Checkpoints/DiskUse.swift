import NTupleNetwork

/// How much of the disk a run's checkpoints take at most, in bytes.
///
/// Weights that are still zero take nothing, so early checkpoints are smaller.
package struct DiskUse: Hashable, Sendable {
  /// One history file.
  package let checkpoint: Int
  /// The state file with its accumulators.
  package let state: Int
  /// Everything between two saves: the newest files, the best one, and the state.
  package let atRest: Int
  /// Everything while a checkpoint is being saved, when new files stand beside those they replace.
  package let whileSaving: Int

  /// Headers, their padding, and a configuration and history of any likely length.
  static let headerAllowance = 1 << 20

  /// - Parameters:
  ///   - keep: the number of newest history files that stay.
  ///   - accumulators: the number of accumulators for each weight.
  package init(shape: NetworkShape, keep: Int, accumulators: Int) {
    checkpoint = shape.byteCount + DiskUse.headerAllowance
    state = accumulators * shape.byteCount + DiskUse.headerAllowance
    atRest = (max(1, keep) + 1) * checkpoint + state
    whileSaving = atRest + checkpoint + state
  }
}
