#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A number of moves, and the time that they took.
package struct Measurement: Sendable {
  /// The number of moves made or positions evaluated.
  package var moves: Int
  /// The wall-clock time in seconds.
  package var wallSeconds: Double
  /// The CPU time of all threads in seconds.
  package var processorSeconds: Double
  /// The mean score of the games in points; nil if no games were played.
  package var meanScore: Double?
  /// The CPU time of each move in milliseconds; empty if moves were not timed.
  package var moveMilliseconds: [Double] = []
  /// The moves of the training, including its warm-up; nil if nothing was trained.
  package var movesPlayed: Int?

  /// The clock on which a rate is based.
  package enum ClockKind: String, CaseIterable, Codable, Sendable {
    /// Wall-clock time, for which a user waits.
    case wall
    /// CPU time divided by the number of threads: the wall-clock time if no other program used the
    /// processors. The effects of other programs on the caches remain.
    case cpu
  }

  /// The outcome of some work.
  struct Played {
    var moves: Int
    var meanScore: Double?
    var moveMilliseconds: [Double] = []
  }

  /// Performs `work` and measures its time.
  static func of(_ work: () -> Played) -> Measurement {
    let (wall, processor) = (seconds(CLOCK_MONOTONIC), seconds(CLOCK_PROCESS_CPUTIME_ID))
    let result = work()
    return Measurement(
      moves: result.moves, wallSeconds: seconds(CLOCK_MONOTONIC) - wall,
      processorSeconds: seconds(CLOCK_PROCESS_CPUTIME_ID) - processor,
      meanScore: result.meanScore, moveMilliseconds: result.moveMilliseconds)
  }

  /// Returns the rate in moves per second.
  func rate(by clock: ClockKind, threads: Int) -> Double {
    let seconds = clock == .wall ? wallSeconds : processorSeconds / Double(threads)
    return seconds > 0 ? Double(moves) / seconds : 0
  }

  private static func seconds(_ clock: clockid_t) -> Double {
    var time = timespec()
    unsafe clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
}
