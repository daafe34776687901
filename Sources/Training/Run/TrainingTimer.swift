import SelfPlay
import Synchronization

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
