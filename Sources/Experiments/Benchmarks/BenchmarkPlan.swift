import Training

/// The number of the measurements of a benchmark, and their clock.
package struct BenchmarkPlan: Sendable {
  /// The amount of work of one measurement.
  package enum Amount: Hashable, Sendable {
    /// Episodes until this number of seconds has passed.
    case seconds(Double)
    /// This number of episodes; with one thread, every repeat plays the same ones.
    case episodes(Int)

    /// The amount of the warm-up before a measurement, which fills the caches as in the middle of a run: a
    /// tenth, but at least one episode.
    var warmUp: Amount {
      switch self {
      case .seconds(let seconds): .seconds(seconds / 10)
      case .episodes(let episodes): .episodes(max(1, episodes / 10))
      }
    }

    /// Returns the number of episodes and the time at which to stop, if work starts now after `done` episodes.
    func limits(after done: Int) -> (episodes: Int, deadline: SuspendingClock.Instant?) {
      switch self {
      case .seconds(let seconds): (.max, RunClock.now + .seconds(seconds))
      case .episodes(let episodes): (done + episodes, nil)
      }
    }
  }

  /// The number of measurements of each variant.
  package var repeats: Int
  /// The number of measurements of each variant before, which are discarded.
  package var warmUps: Int
  /// The clock on which rates are based.
  package var clock: Measurement.ClockKind

  package init(repeats: Int, warmUps: Int = 1, clock: Measurement.ClockKind) {
    (self.repeats, self.warmUps, self.clock) = (repeats, warmUps, clock)
  }
}
