/// A fixed block of floats on a cache-line boundary: the operand of the dense kernels.
///
/// Safety: (1) `base` points at `count` initialised floats from `init` to `deinit` and never moves;
/// (2) the subscript and every kernel check their ranges against `count`; (3) a buffer belongs to
/// one worker, and is not `Sendable`, so no two threads use one at the same time.
@safe
public final class FloatBuffer {
  /// The number of floats.
  public let count: Int

  /// The first float, for code that owns the argument why its accesses stay below `count`.
  public let base: UnsafeMutablePointer<Float>

  /// A block of `count` floats, all `value`.
  public init(count: Int, repeating value: Float = 0) {
    self.count = count
    let bytes = max(1, count) * MemoryLayout<Float>.stride
    unsafe base = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 64)
      .bindMemory(to: Float.self, capacity: count)
    unsafe base.initialize(repeating: value, count: count)
  }

  deinit {
    unsafe base.deallocate()
  }

  /// The float at `index`.
  ///
  /// - Precondition: `index` is in `0..<count`.
  @inlinable
  public subscript(index: Int) -> Float {
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
