import Configuration
import SelfPlay
import Synchronization

/// The view of a run from outside its own thread: how far it is, and a way to stop it.
///
/// Thread safety: everything may be called from any thread.
public final class RunMonitor: Sendable {
  /// Where a run stands.
  public struct Progress: Sendable {
    public var phase: RunPhase
    /// Episodes finished, and of how many; 0 where another limit ends the run.
    public var episodes: Int
    public var totalEpisodes: Int
    /// The share of the run that is done; see ``RunLength``.
    public var share: Double
    /// Moves a second while training, since the last report or over the one before.
    public var movesPerSecond: Double
    /// The mean score and the 2048 rate of the same episodes.
    public var meanScore: Double
    public var reached2048: Double
    /// An estimate of the seconds to the end of the run; nil while nothing is known.
    public var secondsLeft: Double?
  }

  /// A stretch of training with what it came to.
  private struct Stretch {
    var statistics = EpisodeStatistics()
    var seconds = 0.0
  }

  private struct State {
    var phase = RunPhase.ready
    var lastReport = Stretch()
    var trainedBefore = 0.0
    /// Seconds of training before the last report.
    var trainedAtReport = 0.0
    var trainingSince: SuspendingClock.Instant?
  }

  let ledger: EpisodeLedger
  private let length: RunLength
  private let state: Mutex<State>

  /// - Parameter trainedAtReport: seconds of training before the last report.
  init(ledger: EpisodeLedger, length: RunLength, trainedAtReport: Double) {
    self.ledger = ledger
    self.length = length
    state = Mutex(State(trainedAtReport: trainedAtReport))
  }

  /// Asks the run to save its state and end after the episodes being played.
  public func requestStop() { ledger.requestStop() }

  /// Where the run stands now.
  public var progress: Progress {
    let snapshot = ledger.snapshot
    return state.withLock { state in
      var stretch = Stretch(
        statistics: snapshot.sinceReport,
        seconds: state.trainedBefore
          + (state.trainingSince.map { $0.duration(to: RunClock.now).seconds } ?? 0))
      let trained = state.trainedAtReport + stretch.seconds
      let share = length.share(
        episodes: snapshot.episodes, moves: snapshot.moves, seconds: trained)
      // A few episodes say little; until there are more, the last report says it better.
      if stretch.statistics.episodes < state.lastReport.statistics.episodes / 4 {
        stretch = state.lastReport
      }
      let statistics = stretch.statistics
      let isKnown = statistics.episodes > 0 && stretch.seconds > 0
      return Progress(
        phase: state.phase, episodes: snapshot.episodes, totalEpisodes: length.episodes,
        share: min(1, share),
        movesPerSecond: isKnown ? Double(statistics.moves) / stretch.seconds : 0,
        meanScore: statistics.meanScore, reached2048: statistics.reachRate(exponent: 11),
        secondsLeft: isKnown
          ? length.secondsLeft(
            episodes: snapshot.episodes, moves: snapshot.moves, seconds: trained,
            recent: statistics, in: stretch.seconds) : nil)
    }
  }

  /// Goes on to another phase of the run's life cycle, or stays in the one it is in.
  func enter(_ phase: RunPhase) throws(RunPhase.TransitionError) {
    try state.withLock { state throws(RunPhase.TransitionError) in
      if state.phase != phase { try state.phase.become(phase) }
    }
  }

  /// Says that workers have begun a stretch, `seconds` of training after the last report.
  func beganTraining(after seconds: Double) {
    state.withLock {
      $0.trainedBefore = seconds
      $0.trainingSince = RunClock.now
    }
  }

  /// Says that the workers have met, `seconds` of training after the last report.
  func pausedTraining(after seconds: Double) {
    state.withLock {
      $0.trainedBefore = seconds
      $0.trainingSince = nil
    }
  }

  /// Says that a report has been made of `statistics`.
  func reported(_ statistics: EpisodeStatistics, seconds: Double) {
    state.withLock {
      $0.lastReport = Stretch(statistics: statistics, seconds: seconds)
      $0.trainedAtReport += seconds
      $0.trainedBefore = 0
    }
  }
}
