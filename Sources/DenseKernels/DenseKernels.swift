import COpenBLAS

/// The dense vector and matrix operations of the update, by OpenBLAS.
///
/// Every function works on the first elements of its buffers, and checks that they are there. None
/// allocates.
public enum DenseKernels {
  /// Keeps OpenBLAS on the calling thread. Workers are the parallelism here; threads of OpenBLAS's
  /// own would only compete with them.
  public static func useOneThreadPerCaller() {
    openblas_set_num_threads(1)
  }

  /// `y[yStart...] += factor · x[xStart...]` for `count` elements.
  public static func add(
    _ factor: Float, times x: FloatBuffer, from xStart: Int = 0, to y: FloatBuffer,
    at yStart: Int = 0, count: Int
  ) {
    precondition(xStart >= 0 && yStart >= 0)
    precondition(xStart + count <= x.count && yStart + count <= y.count)
    unsafe cblas_saxpy(Int32(count), factor, x.base + xStart, 1, y.base + yStart, 1)
  }

  /// `y[yStart...] = x[xStart...]` for `count` elements.
  public static func copy(
    _ x: FloatBuffer, from xStart: Int = 0, to y: FloatBuffer, at yStart: Int = 0, count: Int
  ) {
    precondition(xStart >= 0 && yStart >= 0)
    precondition(xStart + count <= x.count && yStart + count <= y.count)
    unsafe cblas_scopy(Int32(count), x.base + xStart, 1, y.base + yStart, 1)
  }

  /// `y = share · x + (1 − share) · y` for `count` elements.
  ///
  /// - Precondition: both hold as many, and do not overlap.
  @unsafe
  public static func blend(
    _ share: Float, of x: UnsafePointer<Float>, into y: UnsafeMutablePointer<Float>, count: Int
  ) {
    unsafe cblas_saxpby(Int32(count), share, x, 1, 1 - share, y, 1)
  }

  /// `x *= factor` for `count` elements.
  public static func scale(_ x: FloatBuffer, by factor: Float, count: Int) {
    precondition(count <= x.count)
    unsafe cblas_sscal(Int32(count), factor, x.base, 1)
  }
}
