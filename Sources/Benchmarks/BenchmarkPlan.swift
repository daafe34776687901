import SelfPlay

/// How long and how often a benchmark measures.
package struct BenchmarkPlan: Sendable {
  /// How much one measurement takes on.
  package enum Amount: Hashable, Sendable {
    /// Episodes or positions until so many seconds have passed.
    case seconds(Double)
    /// So many episodes, the same ones in every repeat where one thread plays them.
    case episodes(Int)

    /// A tenth of it, at least one episode: before a measurement, so that the caches hold what they
    /// hold in the middle of a run.
    var warmUp: Amount {
      switch self {
      case .seconds(let seconds): .seconds(seconds / 10)
      case .episodes(let episodes): .episodes(max(1, episodes / 10))
      }
    }

    /// The episode to stop before, and when to stop, if the work begins now after `done` episodes.
    func limits(after done: Int) -> (episodes: Int, deadline: SuspendingClock.Instant?) {
      switch self {
      case .seconds(let seconds): (.max, RunClock.now + .seconds(seconds))
      case .episodes(let episodes): (done + episodes, nil)
      }
    }
  }

  package var amount: Amount
  /// The measurements of each variant that count.
  package var repeats: Int
  /// The measurements of each variant before, which do not count.
  package var warmUps: Int
  package var clock: Measurement.Clock

  package init(amount: Amount, repeats: Int, warmUps: Int = 1, clock: Measurement.Clock) {
    self.amount = amount
    self.repeats = repeats
    self.warmUps = warmUps
    self.clock = clock
  }
}
