import DenseKernels

/// The implementation of the vector operations of an update.
public enum KernelBackend: String, CaseIterable, Sendable {
  /// OpenBLAS.
  case blas
  /// Plain Swift.
  case plain
}

/// The vector operations of an update, by OpenBLAS and in plain Swift.
///
/// All vectors have an element for each row of a batch.
struct ErrorKernels {
  private let backend: KernelBackend
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
    switch backend {
    case .blas:
      let (first, count) = (range.lowerBound, range.count)
      DenseKernels.copy(values, from: first + 1, to: errors, at: first, count: count)
      DenseKernels.add(1, times: rewards, from: first + 1, to: errors, at: first, count: count)
      DenseKernels.add(-1, times: values, from: first, to: errors, at: first, count: count)
    case .plain:
      for row in range { errors[row] = rewards[row + 1] + values[row + 1] - values[row] }
    }
  }

  /// Computes `result[i] = Σ_k λ^k · errors[i + k]`, over the horizon of the return and below `count`.
  ///
  /// With OpenBLAS, a return with a horizon is the sum of a few shifted vectors. The λ-return without a horizon
  /// is the sum of all shifts, `Σ_k λ^k S^k`, where S shifts by one row. It equals the product of `I + λ^s S^s`
  /// for s = 1, 2, 4, …, so a few long vector operations suffice. `stbsv` solves the same bidiagonal system, but
  /// row by row, with each row waiting for the one before.
  func accumulate(_ errors: FloatBuffer, count: Int, into result: FloatBuffer) {
    let decay = returns.traceDecay
    switch (backend, returns.horizon) {
    case (.blas, nil):
      DenseKernels.copy(errors, to: result, count: count)
      var (shift, weight) = (1, decay)
      while shift < count && weight > ErrorKernels.negligible {
        DenseKernels.copy(result, to: partial, count: count)
        DenseKernels.add(weight, times: partial, from: shift, to: result, count: count - shift)
        (shift, weight) = (2 * shift, weight * weight)
      }
    case (.blas, let horizon?):
      DenseKernels.copy(errors, to: result, count: count)
      var weight: Float = 1
      for shift in 1..<max(1, min(horizon + 1, count)) {
        weight *= decay
        DenseKernels.add(weight, times: errors, from: shift, to: result, count: count - shift)
      }
    case (.plain, nil):
      var sum: Float = 0
      for row in (0..<count).reversed() {
        sum = errors[row] + decay * sum
        result[row] = sum
      }
    case (.plain, let horizon?):
      for row in 0..<count {
        var sum: Float = 0
        var weight: Float = 1
        for later in row...min(row + horizon, count - 1) {
          sum += weight * errors[later]
          weight *= decay
        }
        result[row] = sum
      }
    }
  }

  /// Computes `result[i] = factor · errors[i]` for the first `count` rows.
  func scale(_ errors: FloatBuffer, by factor: Float, count: Int, into result: FloatBuffer) {
    switch backend {
    case .blas:
      DenseKernels.copy(errors, to: result, count: count)
      DenseKernels.scale(result, by: factor, count: count)
    case .plain:
      for row in 0..<count { result[row] = factor * errors[row] }
    }
  }

  /// Computes `sums[i] += errors[i]` for the first `count` rows.
  func add(_ errors: FloatBuffer, to sums: FloatBuffer, count: Int) {
    switch backend {
    case .blas: DenseKernels.add(1, times: errors, to: sums, count: count)
    case .plain: for row in 0..<count { sums[row] += errors[row] }
    }
  }
}
