import CIntrinsics

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The weights of all tables of a network in one region of memory, shared by all workers.
///
/// All weights are zero at first. A page takes memory when a weight in it is first written. Offsets
/// count entries of 4 bytes.
///
/// Safety: (1) `memory` never moves, so `base` is valid as long as the object lives; (2) it holds `count` floats, for which any bit pattern is a
/// valid value; (3) while workers run, every access is a single load or store of one aligned float, so
/// concurrent use is defined; if two threads update a weight at the same time, one update may be
/// lost, which asynchronous learning accepts; (4) access to the whole region (files, averages)
/// happens at barriers, when no worker runs.
@safe
public final class SharedWeights: @unchecked Sendable {
  /// The number of entries.
  public let count: Int

  private let memory: MappedMemory
  @usableFromInline package let base: UnsafeMutablePointer<Float>

  /// Maps `count` zero weights.
  ///
  /// - Parameter count: The number of weights.
  /// - Precondition: The memory is available (see ``NetworkShape/byteCount``); otherwise the process
  ///   ends.
  public init(count: Int) {
    self.count = count
    memory = MappedMemory(byteCount: count * MemoryLayout<Float>.stride, for: "weights")
    unsafe base = memory.base.bindMemory(to: Float.self, capacity: count)
  }

  /// The weight at `offset`.
  ///
  /// - Precondition: `offset` is in `0..<count`.
  public subscript(offset: Int) -> Float {
    get {
      precondition(0 <= offset && offset < count, "weight offset out of range")
      return unsafe ci_load_atomic(base + offset)
    }
    set {
      precondition(0 <= offset && offset < count, "weight offset out of range")
      unsafe ci_store_atomic(base + offset, newValue)
    }
  }

  /// Sets every weight to `value`. Call it only when no other thread uses the weights.
  public func fill(with value: Float) {
    unsafe base.update(repeating: value, count: count)
  }

  /// Takes the memory of all pages now, instead of each when a weight in it is first written.
  ///
  /// Thread safety: at barriers only.
  package func populate() {
    let page = 1 << 10
    for start in stride(from: 0, to: count, by: page) {
      unsafe ci_store_relaxed(base + start, ci_load_relaxed(base + start))
    }
  }

  /// Calls `body` with all weights, and returns its result.
  ///
  /// Thread safety: at barriers only.
  public func withUnsafeWeights<Result>(
    _ body: (UnsafeMutableBufferPointer<Float>) throws -> Result
  ) rethrows -> Result {
    try unsafe body(UnsafeMutableBufferPointer(start: base, count: count))
  }

  /// Copies all weights from `other`.
  ///
  /// Pages with equal contents are not written, so a page that was never written still takes no memory.
  ///
  /// Thread safety: at barriers only.
  ///
  /// - Precondition: `other` has the same number of weights.
  public func copy(from other: SharedWeights) {
    precondition(other.count == count, "the numbers of weights differ")
    let page = 1 << 14
    unsafe withUnsafeWeights { own in
      unsafe other.withUnsafeWeights { others in
        for start in stride(from: 0, to: count, by: page) {
          let bytes = min(page, count - start) * MemoryLayout<Float>.stride
          let (to, from) = unsafe (own.baseAddress! + start, others.baseAddress! + start)
          if unsafe memcmp(to, from, bytes) != 0 { unsafe memcpy(to, from, bytes) }
        }
      }
    }
  }
}

extension Float {
  /// Returns this weight on another base: by how much it differs from the old base, it differs from the new one.
  @inlinable
  @inline(__always)
  package func rebased(from old: Float, to new: Float) -> Float {
    // A weight that does not differ becomes the new base in every bit.
    bitPattern == old.bitPattern ? new : new + (self - old)
  }
}
