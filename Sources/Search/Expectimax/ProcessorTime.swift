#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The CPU time used so far, in nanoseconds.
///
/// Unlike wall-clock time it does not advance while other programs run, so a budget is the same
/// amount of search on a busy machine.
@usableFromInline
package enum ProcessorTime {
  /// The time of the calling thread.
  @usableFromInline package static var ofThread: UInt64 { nanoseconds(CLOCK_THREAD_CPUTIME_ID) }
  /// The time of all threads of the process.
  package static var ofProcess: UInt64 { nanoseconds(CLOCK_PROCESS_CPUTIME_ID) }

  private static func nanoseconds(_ clock: clockid_t) -> UInt64 {
    var time = timespec()
    unsafe clock_gettime(clock, &time)
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
  }
}
