#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The processor time that the calling thread has used.
///
/// Unlike a clock on the wall it stands still while other programs run, so that a budget is the same
/// amount of search on a busy machine.
public enum ThreadClock {
  /// Nanoseconds since the thread began.
  public static var now: UInt64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
  }
}
