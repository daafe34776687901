import Search

/// A number of moves, and the time that they took.
package struct Measurement: Sendable {
  /// The number of moves made or positions evaluated.
  var moves: Int
  /// The wall-clock time in seconds.
  var wallSeconds = 0.0
  /// The CPU time of all threads in seconds.
  var processorSeconds = 0.0
  /// The mean score of the games in points; nil if no games were played.
  var meanScore: Double?
  /// The CPU time of each move in milliseconds; empty if moves were not timed.
  var moveMilliseconds: [Double] = []
  /// The moves of the training, including its warm-up; nil if nothing was trained.
  var movesPlayed: Int?

  /// The clock on which a rate is based.
  package enum ClockKind: String, CaseIterable, Codable, Sendable {
    /// Wall-clock time, for which a user waits.
    case wall
    /// CPU time divided by the number of threads: the wall-clock time if no other program used the
    /// processors. The effects of other programs on the caches remain.
    case cpu
  }

  /// Performs `work`, and adds its time to what it returns.
  static func timing(_ work: () -> Measurement) -> Measurement {
    let (start, processor) = (SuspendingClock.now, ProcessorTime.ofProcess)
    var measurement = work()
    measurement.wallSeconds = start.duration(to: .now) / .seconds(1)
    measurement.processorSeconds = Double(ProcessorTime.ofProcess - processor) * 1e-9
    return measurement
  }

  /// Returns the rate in moves per second.
  func rate(by clock: ClockKind, threads: Int) -> Double {
    let seconds = clock == .wall ? wallSeconds : processorSeconds / Double(threads)
    return seconds > 0 ? Double(moves) / seconds : 0
  }
}
