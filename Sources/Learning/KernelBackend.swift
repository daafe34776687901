/// The implementation of the vector operations of an update.
public enum KernelBackend: String, CaseIterable, Sendable {
  /// OpenBLAS.
  case blas
  /// Plain Swift.
  case plain
}

// Safety: pointers come from `FloatBuffer.elements(from:count:)`, which checks that the elements exist.

extension KernelBackend {
  /// Computes `y[yStart...] += factor · x[xStart...]` for `count` elements of two buffers.
  func add(
    _ factor: Float, times x: FloatBuffer, from xStart: Int = 0, to y: FloatBuffer,
    at yStart: Int = 0, count: Int
  ) {
    if self == .blas {
      return DenseKernels.add(factor, times: x, from: xStart, to: y, at: yStart, count: count)
    }
    let (x, y) = unsafe (
      x.elements(from: xStart, count: count), y.elements(from: yStart, count: count)
    )
    for place in 0..<count { unsafe y[place] += factor * x[place] }
  }

  /// Computes `y[yStart...] = x[xStart...]` for `count` elements of two buffers.
  func copy(
    _ x: FloatBuffer, from xStart: Int = 0, to y: FloatBuffer, at yStart: Int = 0, count: Int
  ) {
    if self == .blas {
      return DenseKernels.copy(x, from: xStart, to: y, at: yStart, count: count)
    }
    unsafe y.elements(from: yStart, count: count)
      .update(from: x.elements(from: xStart, count: count), count: count)
  }

  /// Computes `y = factor · x` for the first `count` elements of two buffers.
  func scale(_ x: FloatBuffer, by factor: Float, count: Int, into y: FloatBuffer) {
    if self == .blas {
      DenseKernels.copy(x, to: y, count: count)
      return DenseKernels.scale(y, by: factor, count: count)
    }
    let (x, y) = unsafe (x.elements(count: count), y.elements(count: count))
    for place in 0..<count { unsafe y[place] = factor * x[place] }
  }
}
