import DenseKernels

/// The vector operations of an update by OpenBLAS.
///
/// The λ-return is a linear system: `e_i − λ e_{i+1} = δ_i` has the unit upper bidiagonal matrix
/// `I − λ S`, where S shifts by one row, and `stbsv` solves it. A return with a horizon is the sum of
/// a few shifted vectors.
struct BLASKernels: ErrorKernels {
  private let returns: ReturnEstimate
  /// `I − λ S`, in the band form of the library.
  private let system: UnitBidiagonal

  init(rowCapacity: Int, returns: ReturnEstimate) {
    self.returns = returns
    system = UnitBidiagonal(count: rowCapacity, superdiagonal: -returns.traceDecay)
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
      DenseKernels.solve(system, result, count: count)
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
}
