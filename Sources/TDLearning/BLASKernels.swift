import DenseKernels

/// The vector operations of an update, computed by OpenBLAS.
///
/// A return with a horizon is the sum of a few shifted vectors. The λ-return without a horizon is the
/// sum of all shifts, `Σ_k λ^k S^k`, where S shifts by one row. It equals the product of `I + λ^s S^s`
/// for s = 1, 2, 4, …, so a few long vector operations suffice. `stbsv` solves the same bidiagonal
/// system, but row by row, with each row waiting for the one before.
struct BLASKernels: ErrorKernels {
  private let returns: ReturnEstimate
  private let partial: FloatBuffer

  init(rowCapacity: Int, returns: ReturnEstimate) {
    self.returns = returns
    partial = FloatBuffer(count: rowCapacity)
  }

  func temporalDifferences(
    rewards: FloatBuffer, values: FloatBuffer, in range: Range<Int>, into errors: FloatBuffer
  ) {
    let (first, count) = (range.lowerBound, range.count)
    DenseKernels.copy(values, from: first + 1, to: errors, at: first, count: count)
    DenseKernels.add(1, times: rewards, from: first + 1, to: errors, at: first, count: count)
    DenseKernels.add(-1, times: values, from: first, to: errors, at: first, count: count)
  }

  func accumulate(_ errors: FloatBuffer, count: Int, into result: FloatBuffer) {
    DenseKernels.copy(errors, to: result, count: count)
    guard let horizon = returns.horizon else {
      var (shift, weight) = (1, returns.traceDecay)
      while shift < count && weight > BLASKernels.negligible {
        DenseKernels.copy(result, to: partial, count: count)
        DenseKernels.add(weight, times: partial, from: shift, to: result, count: count - shift)
        (shift, weight) = (2 * shift, weight * weight)
      }
      return
    }
    var weight: Float = 1
    for shift in 1..<max(1, min(horizon + 1, count)) {
      weight *= returns.traceDecay
      DenseKernels.add(weight, times: errors, from: shift, to: result, count: count - shift)
    }
  }

  func scale(_ errors: FloatBuffer, by factor: Float, count: Int, into result: FloatBuffer) {
    DenseKernels.copy(errors, to: result, count: count)
    DenseKernels.scale(result, by: factor, count: count)
  }

  func add(_ errors: FloatBuffer, to sums: FloatBuffer, count: Int) {
    DenseKernels.add(1, times: errors, to: sums, count: count)
  }

  /// A weight below which an error does not count in single precision.
  private static let negligible: Float = 1e-9
}
