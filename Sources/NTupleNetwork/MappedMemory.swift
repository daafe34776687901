#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A region of memory for the entries of tables, all zero at first.
///
/// A page takes memory when something in it is first written.
///
/// Safety: the region is mapped in `init`, unmapped in `deinit`, and never moves.
@safe
final class MappedMemory {
  let base: UnsafeMutableRawPointer
  private let byteCount: Int

  /// Maps a region.
  ///
  /// - Parameter content: What it is for, in the message if it cannot be mapped.
  /// - Precondition: The memory is available; otherwise the process ends.
  init(byteCount: Int, for content: String) {
    self.byteCount = max(4, byteCount)
    let region = unsafe mmap(
      nil, self.byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MappedMemory.anonymous, -1, 0)
    guard let region = unsafe region, unsafe region != UnsafeMutableRawPointer(bitPattern: -1)
    else {
      fatalError(
        "cannot map \(byteCount) bytes for \(content): \(unsafe String(cString: strerror(errno)))")
    }
    #if os(Linux)
      // Large pages save address translations on random look-ups. A failure does no harm.
      _ = unsafe madvise(region, self.byteCount, 14 /* MADV_HUGEPAGE */)
    #endif
    unsafe base = region
  }

  deinit {
    unsafe _ = munmap(base, byteCount)
  }

  #if os(Linux)
    private static let anonymous = Int32(MAP_ANONYMOUS)
  #else
    private static let anonymous = MAP_ANON
  #endif
}
