#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The CPU time of the calling thread.
///
/// Unlike wall-clock time it does not advance while other programs run, so a budget is the same
/// amount of search on a busy machine.
@usableFromInline
package enum ThreadClock {
  /// The nanoseconds of CPU time since the thread began.
  @usableFromInline package static var now: UInt64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
  }
}
