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

/// The errors of the rows of a batch, computed from their rewards and values.
///
/// All vectors have an element for each row.
struct ErrorKernels {
  let backend: KernelBackend
  private let returns: ReturnEstimate
  private let partial: FloatBuffer

  /// A weight below which an error does not count in single precision.
  private static let negligible: Float = 1e-9

  /// Creates kernels for batches of up to `rowCapacity` rows.
  init(_ backend: KernelBackend, rowCapacity: Int, returns: ReturnEstimate) {
    self.backend = backend
    self.returns = returns
    partial = FloatBuffer(count: backend == .blas ? rowCapacity : 0)
  }

  /// Computes `errors[i] = rewards[i + 1] + values[i + 1] − values[i]` for `i` in `range`.
  ///
  /// - Precondition: `range.upperBound` is less than the row capacity.
  func temporalDifferences(
    rewards: FloatBuffer, values: FloatBuffer, in range: Range<Int>, into errors: FloatBuffer
  ) {
    let (first, count) = (range.lowerBound, range.count)
    backend.copy(values, from: first + 1, to: errors, at: first, count: count)
    backend.add(1, times: rewards, from: first + 1, to: errors, at: first, count: count)
    backend.add(-1, times: values, from: first, to: errors, at: first, count: count)
  }

  /// Computes `result[i] = Σ_k λ^k · errors[i + k]`, over the horizon of the return and below `count`.
  func accumulate(_ errors: FloatBuffer, count: Int, into result: FloatBuffer) {
    backend.copy(errors, to: result, count: count)
    guard let horizon = returns.horizon else { return accumulateAll(result, count: count) }
    var weight: Float = 1
    for shift in 1..<max(1, min(horizon + 1, count)) {
      weight *= returns.traceDecay
      backend.add(weight, times: errors, from: shift, to: result, count: count - shift)
    }
  }

  /// Computes `errors[i] ← Σ_k λ^k · errors[i + k]`, over all rows below `count`.
  ///
  /// OpenBLAS computes the product of `I + λ^s S^s` for s = 1, 2, 4, …, where S shifts by one row. It equals
  /// the sum of all shifts, `Σ_k λ^k S^k`, so a few long vector operations suffice. `stbsv` solves the same
  /// bidiagonal system, but row by row, with each row waiting for the one before.
  private func accumulateAll(_ errors: FloatBuffer, count: Int) {
    switch backend {
    case .blas:
      var (shift, weight) = (1, returns.traceDecay)
      while shift < count && weight > ErrorKernels.negligible {
        backend.copy(errors, to: partial, count: count)
        backend.add(weight, times: partial, from: shift, to: errors, count: count - shift)
        (shift, weight) = (2 * shift, weight * weight)
      }
    case .plain:
      var sum: Float = 0
      for row in (0..<count).reversed() {
        sum = errors[row] + returns.traceDecay * sum
        errors[row] = sum
      }
    }
  }
}
