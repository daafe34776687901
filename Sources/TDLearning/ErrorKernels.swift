import DenseKernels

/// The vector operations of an update, implemented by OpenBLAS and in plain Swift.
///
/// All vectors have an element for each row of a batch.
protocol ErrorKernels {
  /// Creates kernels for batches of up to `rowCapacity` rows.
  init(rowCapacity: Int, returns: ReturnEstimate)

  /// Computes `errors[i] = rewards[i + 1] + values[i + 1] − values[i]` for `i` in `range`.
  ///
  /// - Precondition: `range.upperBound` is less than the row capacity.
  func temporalDifferences(
    rewards: FloatBuffer, values: FloatBuffer, in range: Range<Int>, into errors: FloatBuffer)

  /// Computes `result[i] = Σ_k λ^k · errors[i + k]`, over the horizon of the return and below `count`.
  func accumulate(_ errors: FloatBuffer, count: Int, into result: FloatBuffer)

  /// Computes `result[i] = factor · errors[i]` for the first `count` rows.
  func scale(_ errors: FloatBuffer, by factor: Float, count: Int, into result: FloatBuffer)

  /// Computes `sums[i] += errors[i]` for the first `count` rows.
  func add(_ errors: FloatBuffer, to sums: FloatBuffer, count: Int)
}

/// The implementation of the vector operations of an update.
public enum KernelBackend: String, CaseIterable, Sendable {
  /// OpenBLAS.
  case blas
  /// Plain Swift.
  case plain

  /// Returns kernels for batches of up to `rowCapacity` rows.
  func makeKernels(rowCapacity: Int, returns: ReturnEstimate) -> any ErrorKernels {
    switch self {
    case .blas: BLASKernels(rowCapacity: rowCapacity, returns: returns)
    case .plain: PlainKernels(rowCapacity: rowCapacity, returns: returns)
    }
  }
}
