import DenseKernels

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
