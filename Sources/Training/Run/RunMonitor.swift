import Configuration
import SelfPlay
import Synchronization

/// The view of a run from outside its own thread: its progress, and a way to stop it.
///
/// Thread safety: everything may be called from any thread.
public final class RunMonitor: Sendable {
  /// The progress of a run.
  public struct Standing: Sendable {
    /// What the run is doing.
    public var phase: RunPhase
    /// Episodes finished.
    public var episodes: Int
    /// The episodes of the whole run; 0 if another limit ends it.
    public var totalEpisodes: Int
    /// The share of the run that is done, see `RunLength`.
    public var share: Double
    /// Moves per second of training, since the last report or over the one before.
    public var movesPerSecond: Double
    /// The same episodes.
    public var recent: EpisodeStatistics
    /// The last checkpoint that was saved by this process; nil if none was.
    public var checkpoint: SavedCheckpoint?
    /// An estimate of the seconds to the end of the run; nil while nothing is known.
    public var secondsLeft: Double?
  }

  /// A checkpoint that is in place.
  public struct SavedCheckpoint: Sendable {
    /// The episodes that its weights have learned from.
    public var episodes: Int
    /// The time at which it was put in place.
    public var time: ContinuousClock.Instant
  }

  /// The episodes between two reports, and the seconds of training that they took.
  private typealias Stretch = (statistics: EpisodeStatistics, seconds: Double)

  private struct State {
    var phase = RunPhase.ready
    var lastReport: Stretch = (EpisodeStatistics(), 0)
    var checkpoint: SavedCheckpoint?
  }

  let ledger: EpisodeLedger
  let timer: TrainingTimer
  private let length: RunLength
  private let state = Mutex(State())

  init(ledger: EpisodeLedger, timer: TrainingTimer, length: RunLength) {
    self.ledger = ledger
    self.timer = timer
    self.length = length
  }

  /// Asks the run to save its state and end after the episodes that are being played.
  public func requestStop() { ledger.requestStop() }

  /// The progress of the run now.
  public var progress: Standing {
    let snapshot = ledger.snapshot
    let time = timer.reading
    let (phase, lastReport, checkpoint) = state.withLock {
      ($0.phase, $0.lastReport, $0.checkpoint)
    }
    // A few episodes say little; until there are more, the last report says it better.
    let isEarly = snapshot.sinceReport.episodes < lastReport.statistics.episodes / 4
    let (statistics, seconds) = isEarly ? lastReport : (snapshot.sinceReport, time.sinceReport)
    let isKnown = statistics.episodes > 0 && seconds > 0
    return Standing(
      phase: phase, episodes: snapshot.episodes, totalEpisodes: length.episodes,
      share: min(
        1,
        length.share(episodes: snapshot.episodes, moves: snapshot.moves, seconds: time.total)),
      movesPerSecond: isKnown ? Double(statistics.moves) / seconds : 0,
      recent: statistics, checkpoint: checkpoint,
      secondsLeft: isKnown
        ? length.secondsLeft(
          episodes: snapshot.episodes, moves: snapshot.moves, seconds: time.total,
          recent: (statistics.episodes, statistics.moves), in: seconds) : nil)
  }

  /// Moves the run to another phase of its life cycle, or leaves it in the one that it is in.
  func enter(_ phase: RunPhase) throws(RunPhase.TransitionError) {
    try state.withLock { state throws(RunPhase.TransitionError) in
      if state.phase != phase { try state.phase.become(phase) }
    }
  }

  /// Records that a checkpoint after `episodes` episodes is in place.
  func saved(episodes: Int) {
    state.withLock { $0.checkpoint = SavedCheckpoint(episodes: episodes, time: .now) }
  }

  /// Starts the sums of a new report; those before are `statistics`, of `seconds` of training.
  func beginReport(after statistics: EpisodeStatistics, seconds: Double) {
    state.withLock { $0.lastReport = (statistics, seconds) }
    ledger.beginReport()
    timer.beginReport()
  }
}
