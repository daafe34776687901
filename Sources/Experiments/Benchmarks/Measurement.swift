import Basics
import Play
import Search
import Training

/// A number of moves, and the time that they took.
package struct Measurement: Sendable {
  var moves: Int
  var wallSeconds = 0.0
  var processorSeconds = 0.0
  /// The mean score of the games in points; nil if no games were played.
  var meanScore: Double?
  /// The CPU time of each move in milliseconds; empty if moves were not timed.
  var moveMilliseconds: [Double] = []
  /// The moves of the training, including its warm-up; nil if nothing was trained.
  var movesPlayed: Int?

  /// The clock on which a rate is based.
  package enum ClockKind: String, CaseIterable, Sendable {
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

/// The durations of moves with a time budget, in milliseconds.
package struct MoveTimes: Hashable, Sendable {
  package var median: Double
  package var percentile99: Double
  package var max: Double
  package var withinBudget: Double

  /// Computes the statistics of moves; returns nil without moves or without a budget.
  init?(of times: [Double], budget: Double?) {
    guard !times.isEmpty, let budget else { return nil }
    let tolerance = Swift.max(0.1 * budget, 0.2)
    withinBudget =
      Double(times.count { abs($0 - budget) <= tolerance }) / Double(times.count)
    let summary = Summary(of: times)
    median = summary.median
    percentile99 = times.sorted()[(99 * times.count + 99) / 100 - 1]
    max = summary.max
  }
}

extension MoveTimes: Document {
  package static let fields: [Field<MoveTimes>] = [
    Field("median", \.median, unit: "ms", "The median."),
    Field("percentile99", \.percentile99, unit: "ms", "The time below which 99 % are."),
    Field("max", \.max, unit: "ms", "The longest."),
    Field("withinBudget", \.withinBudget, "The share within 10 % or 0.2 ms of the budget."),
  ]
}

/// The median, the minimum and the maximum of some samples.
package struct Summary: Hashable, Sendable {
  package var median: Double
  package var min: Double
  package var max: Double

  /// Computes the summary of samples.
  ///
  /// - Precondition: There is at least one sample.
  package init(of samples: [Double]) {
    precondition(!samples.isEmpty, "a summary needs a sample")
    median = samples.median
    min = samples.min()!
    max = samples.max()!
  }

  /// Returns the minimum and the maximum as text.
  func range(_ text: (Double) -> String) -> String { "\(text(min))-\(text(max))" }
}

extension Summary: Document {
  package static let fields: [Field<Summary>] = [
    Field("median", \.median, "The median."), Field("min", \.min, "The smallest."),
    Field("max", \.max, "The largest."),
  ]
}

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
