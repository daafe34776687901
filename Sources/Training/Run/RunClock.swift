import Basics
import Foundation
import Synchronization

/// A clock for the time in which this process runs.
///
/// It stands still while the machine sleeps or the process is stopped, for example by Ctrl-Z. A time
/// limit therefore counts training time only. A thread reads the time twice per second. If nobody has
/// read it for `Pauses.longestGap`, the process was stopped.
///
/// Thread safety: every member may be used from any thread.
public enum RunClock {
  private static let pauses = Mutex(Pauses(since: SuspendingClock.now))

  private static let observation: Void = Thread.detachNewThread {
    while true {
      usleep(500_000)
      _ = time()
    }
  }

  /// The current time. Compare it only with other times of this clock.
  public static var now: SuspendingClock.Instant {
    observation
    return time()
  }

  private static func time() -> SuspendingClock.Instant {
    pauses.withLock { $0.time(at: SuspendingClock.now) }
  }
}

/// The pauses of a process: gaps between readings of a clock that are too long for a running process.
package struct Pauses {
  /// The longest gap that counts as running, which is more than a busy machine delays a thread.
  package static let longestGap = Duration.seconds(5)

  private var seen: SuspendingClock.Instant
  private var lost = Duration.zero

  /// Starts without pauses, with a first reading at `start`.
  package init(since start: SuspendingClock.Instant) { seen = start }

  /// Returns the time without the pauses, for a reading at `now`.
  package mutating func time(at now: SuspendingClock.Instant) -> SuspendingClock.Instant {
    let gap = seen.duration(to: now)
    if gap > Pauses.longestGap { lost += gap }
    seen = now
    return now - lost
  }
}

/// The time that a run spends training, excluding evaluations and saves, in seconds.
///
/// Thread safety: one thread counts; any thread may read.
final class TrainingTimer: Sendable {
  /// The time since the run began, over all its sessions, and of it the time since the last report.
  typealias Reading = (total: Double, sinceReport: Double)

  private let state: Mutex<(reading: Reading, start: SuspendingClock.Instant?)>

  init(from reading: Reading) { state = Mutex((reading, nil)) }

  /// The time until now, including the part in progress.
  var reading: Reading {
    state.withLock { state in
      let seconds = state.start.map { $0.duration(to: RunClock.now).seconds } ?? 0
      return (state.reading.total + seconds, state.reading.sinceReport + seconds)
    }
  }

  /// Carries out a part of training and counts its time.
  func count(_ part: () -> Void) {
    state.withLock { $0.start = RunClock.now }
    part()
    let reading = reading
    state.withLock { $0 = (reading, nil) }
  }

  /// Resets the time since the last report.
  func beginReport() { state.withLock { $0.reading.sinceReport = 0 } }
}
