/// Who computes the errors and steps of an update.
public enum UpdatePath: String, CaseIterable, Sendable {
  /// OpenBLAS.
  case blas
  /// Plain Swift.
  case plain
}
