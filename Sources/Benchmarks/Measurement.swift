#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Moves, and the time that they took.
package struct Measurement: Sendable {
  /// Moves made, or positions worked on.
  package var moves: Int
  /// Seconds on the clock.
  package var wallSeconds: Double
  /// Seconds of processor time, of all threads together.
  package var processorSeconds: Double
  /// The mean score of the games in points, where games were played.
  package var meanScore: Double?
  /// Milliseconds of processor time that each move took, where they were taken one by one.
  package var moveMilliseconds: [Double] = []
  /// All moves of the training, those of the warm-up included, where there was one.
  package var movesPlayed: Int?

  /// Which time a rate is by.
  package enum Clock: String, CaseIterable, Codable, Sendable {
    /// The time that passed: what a user waits.
    case wall
    /// The processor time by the number of threads: what it would be if no other program had taken
    /// a processor away. What others do to the caches still shows.
    case cpu
  }

  /// What some work came to.
  struct Result {
    var moves: Int
    var meanScore: Double?
    var moveMilliseconds: [Double] = []
  }

  /// Does `work` and takes the time.
  static func of(_ work: () -> Result) -> Measurement {
    let (wall, processor) = (seconds(CLOCK_MONOTONIC), seconds(CLOCK_PROCESS_CPUTIME_ID))
    let result = work()
    return Measurement(
      moves: result.moves, wallSeconds: seconds(CLOCK_MONOTONIC) - wall,
      processorSeconds: seconds(CLOCK_PROCESS_CPUTIME_ID) - processor,
      meanScore: result.meanScore, moveMilliseconds: result.moveMilliseconds)
  }

  /// Moves a second.
  func rate(by clock: Clock, threads: Int) -> Double {
    let seconds = clock == .wall ? wallSeconds : processorSeconds / Double(threads)
    return seconds > 0 ? Double(moves) / seconds : 0
  }

  private static func seconds(_ clock: clockid_t) -> Double {
    var time = timespec()
    unsafe clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
}
