import DenseKernels
import NTupleNetwork

/// The errors of the rows of a minibatch.
///
/// The TD errors of the rows are summed to the errors `e_i` of the ``ReturnEstimate``. A row whose
/// return reaches past the batch waits for the next batch, and keeps its TD error if that is known.
final class BatchErrors {
  private let kernels: ErrorKernels
  /// The errors `e_i` of the rows that the last call of ``compute(_:isTerminal:)`` found ready.
  let errors: FloatBuffer
  private let network: NTupleNetwork
  /// The number of rows at the end of a batch, besides the last, that wait for later errors.
  private let lookahead: Int
  private let temporalDifferences: FloatBuffer
  /// The number of rows at the start of the batch whose TD errors are known from the batch before.
  private var knownErrors = 0

  init(
    network: NTupleNetwork, returns: ReturnEstimate, backend: KernelBackend, rowCapacity: Int
  ) {
    self.network = network
    kernels = ErrorKernels(backend, rowCapacity: rowCapacity, returns: returns)
    lookahead = returns.lookahead
    temporalDifferences = FloatBuffer(count: rowCapacity)
    errors = FloatBuffer(count: rowCapacity)
  }

  /// Computes ``errors`` for the rows of `batch` that are ready, which are its first rows.
  ///
  /// Call ``removeReady(_:from:)`` afterwards.
  ///
  /// - Parameters:
  ///   - batch: The rows. The value of the first row with an unknown TD error is read again.
  ///   - isTerminal: Whether the last row is the last afterstate of its episode. If not, the last row
  ///     only serves as the successor of the row before it.
  /// - Returns: The number of rows that are ready.
  func compute(_ batch: inout EpisodeBatch, isTerminal: Bool) -> Int {
    let rows = batch.rows
    precondition(rows <= errors.count)
    guard rows > 0 else { return 0 }
    // The previous update has changed the value of the first row without a TD error since play read it.
    batch.values[knownErrors] = network.value(ofPlanes: batch.images.planes(knownErrors))
    kernels.temporalDifferences(
      rewards: batch.rewards, values: batch.values, in: knownErrors..<(rows - 1),
      into: temporalDifferences)
    if isTerminal { temporalDifferences[rows - 1] = -batch.values[rows - 1] }
    let known = isTerminal ? rows : rows - 1
    let ready = isTerminal ? rows : max(0, known - lookahead)
    kernels.accumulate(temporalDifferences, count: known, into: errors)
    knownErrors = known - ready
    return ready
  }

  /// Computes `result[i] = factor · e_i` for the first `count` rows.
  func scale(by factor: Float, count: Int, into result: FloatBuffer) {
    kernels.backend.scale(errors, by: factor, count: count, into: result)
  }

  /// Removes the first `ready` rows from `batch`, and keeps those that wait.
  func removeReady(_ ready: Int, from batch: inout EpisodeBatch) {
    batch.removeFirst(ready)
    for row in 0..<knownErrors { temporalDifferences[row] = temporalDifferences[ready + row] }
  }

  /// The known TD errors of the rows that wait.
  var waiting: [Float] {
    get { (0..<knownErrors).map { temporalDifferences[$0] } }
    set {
      knownErrors = newValue.count
      for (row, error) in newValue.enumerated() { temporalDifferences[row] = error }
    }
  }
}
