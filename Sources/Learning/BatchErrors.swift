import NTupleNetwork

/// The errors of the rows of a minibatch.
///
/// The TD errors of the rows are summed to the errors `e_i` of the ``ReturnEstimate``. A row whose
/// return reaches past the batch waits for the next batch, and keeps its TD error if that is known.
final class BatchErrors {
  /// The errors `e_i` of the rows that the last call of ``compute(_:isTerminal:)`` found ready.
  let errors: FloatBuffer
  private let network: NTupleNetwork
  private let returns: ReturnEstimate
  /// The number of rows at the end of a batch, besides the last, that wait for later errors.
  private let lookahead: Int
  private let temporalDifferences: FloatBuffer
  private let partial: FloatBuffer
  /// The number of rows at the start of the batch whose TD errors are known from the batch before.
  private var knownErrors = 0

  /// A weight below which an error does not count in single precision.
  private static let negligible: Float = 1e-9

  init(network: NTupleNetwork, returns: ReturnEstimate, rowCapacity: Int) {
    self.network = network
    self.returns = returns
    lookahead = returns.lookahead
    temporalDifferences = FloatBuffer(count: rowCapacity)
    partial = FloatBuffer(count: rowCapacity)
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
    computeTemporalDifferences(of: batch, in: knownErrors..<(rows - 1))
    if isTerminal { temporalDifferences[rows - 1] = -batch.values[rows - 1] }
    let known = isTerminal ? rows : rows - 1
    let ready = isTerminal ? rows : max(0, known - lookahead)
    accumulate(count: known)
    knownErrors = known - ready
    return ready
  }

  /// Computes `δ_i = r_{i + 1} + v_{i + 1} − v_i` for the rows of a range.
  private func computeTemporalDifferences(of batch: borrowing EpisodeBatch, in range: Range<Int>) {
    let (first, count, result) = (range.lowerBound, range.count, temporalDifferences)
    DenseKernels.copy(batch.values, from: first + 1, to: result, at: first, count: count)
    DenseKernels.add(1, times: batch.rewards, from: first + 1, to: result, at: first, count: count)
    DenseKernels.add(-1, times: batch.values, from: first, to: result, at: first, count: count)
  }

  /// Computes `e_i = Σ_k λ^k δ_{i + k}`, over the horizon of the return and below `count`.
  private func accumulate(count: Int) {
    DenseKernels.copy(temporalDifferences, to: errors, count: count)
    var weight: Float = 1
    if let horizon = returns.horizon {
      for shift in 1..<max(1, min(horizon + 1, count)) {
        weight *= returns.traceDecay
        addScaled(temporalDifferences, by: weight, shift: shift, count: count)
      }
      return
    }
    // The product of I + λ^s S^s for s = 1, 2, 4, …, where S shifts by one row, is the sum of all shifts,
    // Σ_k λ^k S^k, so a few long vector operations suffice. `stbsv` solves the same bidiagonal system, but
    // row by row, with each row waiting for the one before.
    var shift = 1
    weight = returns.traceDecay
    while shift < count && weight > BatchErrors.negligible {
      addScaled(errors, by: weight, shift: shift, count: count)
      (shift, weight) = (2 * shift, weight * weight)
    }
  }

  /// Adds `weight · terms_{i + shift}` to the errors `e_i` of `count` rows.
  ///
  /// Scaling and adding round once each, everywhere. One `saxpy` rounds once or twice, by the processor and the place of
  /// an element.
  private func addScaled(_ terms: FloatBuffer, by weight: Float, shift: Int, count: Int) {
    DenseKernels.scale(terms, by: weight, count: count, into: partial)
    DenseKernels.add(1, times: partial, from: shift, to: errors, count: count - shift)
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
