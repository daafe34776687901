import Basics
import Foundation
import Synchronization

/// The time in which this process has run.
///
/// It stands still while the machine sleeps, and while the process is stopped, as by Ctrl-Z, so that what is
/// limited to some minutes trains for them. A thread looks at the time twice a second; where nobody has for
/// ``Pauses/longestGap``, the process was stopped.
///
/// Thread safety: from any thread.
public enum RunClock {
  private static let pauses = Mutex(Pauses(since: SuspendingClock.now))

  private static let observation: Void = Thread.detachNewThread {
    while true {
      usleep(500_000)
      _ = time()
    }
  }

  /// The time now. Compare it with other times of this clock only.
  public static var now: SuspendingClock.Instant {
    observation
    return time()
  }

  private static func time() -> SuspendingClock.Instant {
    pauses.withLock { $0.time(at: SuspendingClock.now) }
  }
}

/// The gaps between looks at a clock that are too long to have been time at work.
package struct Pauses {
  /// Longer than a busy machine keeps a thread waiting.
  package static let longestGap = Duration.seconds(5)

  private var seen: SuspendingClock.Instant
  private var lost = Duration.zero

  package init(since start: SuspendingClock.Instant) { seen = start }

  /// The time without the gaps.
  package mutating func time(at now: SuspendingClock.Instant) -> SuspendingClock.Instant {
    let gap = seen.duration(to: now)
    if gap > Pauses.longestGap { lost += gap }
    seen = now
    return now - lost
  }
}
