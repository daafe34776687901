import COpenBLAS

/// The dense vector operations of an update, computed by OpenBLAS.
///
/// Every function that takes a `FloatBuffer` checks its ranges. No function allocates memory.
package enum DenseKernels {
  /// Restricts OpenBLAS to the calling thread. The workers already run in parallel, and additional
  /// threads would compete with them.
  package static func useOneThreadPerCaller() {
    openblas_set_num_threads(1)
  }

  /// Computes `y[yStart...] += factor · x[xStart...]` for `count` elements.
  package static func add(
    _ factor: Float, times x: FloatBuffer, from xStart: Int = 0, to y: FloatBuffer,
    at yStart: Int = 0, count: Int
  ) {
    unsafe cblas_saxpy(
      Int32(count), factor, x.elements(from: xStart, count: count), 1,
      y.elements(from: yStart, count: count), 1)
  }

  /// Computes `y[yStart...] = x[xStart...]` for `count` elements.
  package static func copy(
    _ x: FloatBuffer, from xStart: Int = 0, to y: FloatBuffer, at yStart: Int = 0, count: Int
  ) {
    unsafe cblas_scopy(
      Int32(count), x.elements(from: xStart, count: count), 1,
      y.elements(from: yStart, count: count), 1)
  }

  /// Computes `x *= factor` for the first `count` elements.
  package static func scale(_ x: FloatBuffer, by factor: Float, count: Int) {
    unsafe cblas_sscal(Int32(count), factor, x.elements(count: count), 1)
  }
}
