import DenseKernels
import NTupleNetwork

/// The errors that the rows of a minibatch are learned from.
///
/// The TD errors of the rows are summed up to the errors `e_i` of the ``ReturnEstimate``. A row whose
/// return reaches past the batch waits for the next one, and keeps the TD error that is known of it.
final class BatchErrors {
  private let kernels: any ErrorKernels
  /// `e_i` of the rows that were ready last.
  let errors: FloatBuffer
  private let network: NTupleNetwork
  /// How many rows at the end of a batch wait for later errors, besides the last.
  private let lookahead: Int
  private let temporalDifferences: FloatBuffer
  /// The rows at the start of the batch whose TD errors are known from the batch before.
  private var knownErrors = 0

  init(
    network: NTupleNetwork, returns: ReturnEstimate, backend: KernelBackend, rowCapacity: Int
  ) {
    self.network = network
    kernels = backend.makeKernels(rowCapacity: rowCapacity, returns: returns)
    lookahead = returns.lookahead
    temporalDifferences = FloatBuffer(count: rowCapacity)
    errors = FloatBuffer(count: rowCapacity)
  }

  /// Computes ``errors`` of the rows of `batch` that are ready, which are its first.
  ///
  /// - Parameter isTerminal: whether the last row is the last afterstate of its episode. If not, the
  ///   last row only serves as the successor of the row before it.
  /// - Returns: how many rows are ready; ``removeReady(_:from:)`` is to follow.
  func compute(_ batch: inout EpisodeBatch, isTerminal: Bool) -> Int {
    let rows = batch.rows
    precondition(rows <= errors.count)
    guard rows > 0 else { return 0 }
    // The update before has moved what play had read for the first row that is not done.
    batch.values[knownErrors] = network.value(ofPlanes: batch.planes(knownErrors))
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

  /// `result[i] = factor · e_i` for the first `count` rows.
  func scale(by factor: Float, count: Int, into result: FloatBuffer) {
    kernels.scale(errors, by: factor, count: count, into: result)
  }

  /// Takes the `ready` rows that were learned from away from `batch`, and leaves those that wait.
  func removeReady(_ ready: Int, from batch: inout EpisodeBatch) {
    batch.removeFirst(ready)
    for row in 0..<knownErrors { temporalDifferences[row] = temporalDifferences[ready + row] }
  }

  /// The TD errors that are known of the rows that wait.
  var waiting: [Float] {
    get { (0..<knownErrors).map { temporalDifferences[$0] } }
    set {
      knownErrors = newValue.count
      for (row, error) in newValue.enumerated() { temporalDifferences[row] = error }
    }
  }
}
