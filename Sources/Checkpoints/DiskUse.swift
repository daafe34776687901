import NTupleNetwork

/// The disk space that a run's checkpoints take at most, in bytes.
///
/// Weights that are still zero take no space, so early checkpoints are smaller. A number that `Int` cannot hold is the
/// largest one.
package struct DiskUse: Hashable, Sendable {
  /// One weight file.
  package let checkpoint: Int
  /// The state file with its accumulators.
  package let state: Int
  /// All files between two saves: the newest weights, the best ones, and the state.
  package let atRest: Int
  /// All files during a save, when new files exist beside those that they replace.
  package let whileSaving: Int

  /// The space for a header with its padding, and a configuration and history of any likely length.
  static let headerAllowance = 1 << 20

  /// - Parameters:
  ///   - keep: the number of newest checkpoints that are kept.
  ///   - accumulators: the number of accumulators for each weight.
  package init(shape: NetworkShape, keep: Int, accumulators: Int) {
    checkpoint = shape.byteCount + DiskUse.headerAllowance
    state = accumulators * shape.byteCount + DiskUse.headerAllowance
    // Before the memory is checked, a configuration may ask for any network.
    let (checkpoints, isTooLarge) = checkpoint.multipliedReportingOverflow(by: max(1, keep) + 1)
    atRest = DiskUse.sum(isTooLarge ? .max : checkpoints, state)
    whileSaving = DiskUse.sum(atRest, checkpoint + state)
  }

  private static func sum(_ first: Int, _ second: Int) -> Int {
    let (sum, isTooLarge) = first.addingReportingOverflow(second)
    return isTooLarge ? .max : sum
  }
}
