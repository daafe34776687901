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
