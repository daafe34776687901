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

  /// Computes `y = factor · x` for the first `count` elements.
  package static func scale(_ x: FloatBuffer, by factor: Float, count: Int, into y: FloatBuffer) {
    copy(x, to: y, count: count)
    unsafe cblas_sscal(Int32(count), factor, y.elements(count: count), 1)
  }
}

/// A fixed block of floats, aligned to a cache line: the operand of the dense kernels.
///
/// Safety: (1) `base` points to `count` initialised floats from `init` to `deinit` and never moves;
/// (2) the subscript and every kernel check their ranges against `count`; (3) a buffer belongs to
/// one worker and is not `Sendable`, so no two threads use it at the same time.
@safe
@usableFromInline
package final class FloatBuffer {
  /// The number of floats.
  @usableFromInline package let count: Int

  /// The address of the first float, for code that ensures itself that it stays below `count`.
  @usableFromInline package let base: UnsafeMutablePointer<Float>

  /// Allocates a block of `count` floats, all 0.
  package init(count: Int) {
    self.count = count
    let bytes = max(1, count) * MemoryLayout<Float>.stride
    unsafe base = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 64)
      .bindMemory(to: Float.self, capacity: count)
    unsafe base.initialize(repeating: 0, count: count)
  }

  /// Returns the address of the element at `start`, for code that reads and writes `count` elements from there.
  ///
  /// - Precondition: The buffer has these elements.
  @unsafe
  package func elements(from start: Int = 0, count: Int) -> UnsafeMutablePointer<Float> {
    precondition(0 <= start && 0 <= count && start + count <= self.count, "elements out of range")
    return unsafe base + start
  }

  deinit {
    unsafe base.deallocate()
  }

  /// The float at `index`.
  ///
  /// - Precondition: `index` is in `0..<count`.
  @inlinable
  package subscript(index: Int) -> Float {
    get {
      precondition(0 <= index && index < count, "index out of range")
      return unsafe base[index]
    }
    set {
      precondition(0 <= index && index < count, "index out of range")
      unsafe base[index] = newValue
    }
  }
}
