#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension SharedWeights {
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
