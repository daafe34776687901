#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension SharedWeights {
  /// Makes every weight that of `other`, at a barrier.
  ///
  /// Pages that hold the same are left alone, so that a page that was never written stays without
  /// memory of its own, as in a network that was trained in place.
  ///
  /// - Precondition: `other` has as many weights.
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
