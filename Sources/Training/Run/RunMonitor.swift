import Basics
import Foundation
import Game2048
import NTupleNetwork
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
    /// Moves per second of training, since the last report or over the one before; 0 while unknown.
    public var movesPerSecond: Double
    /// The same episodes.
    public var recent: EpisodeStatistics
    /// The last checkpoint of this process, and when it was put in place; nil if none was.
    public var checkpoint: (episodes: Int, time: ContinuousClock.Instant)?
    /// An estimate of the seconds to the end of the run; nil while nothing is known.
    public var secondsLeft: Double?
  }

  /// The episodes between two reports, and the seconds of training that they took.
  private typealias Stretch = (statistics: EpisodeStatistics, seconds: Double)

  private struct State {
    var phase = RunPhase.ready
    var lastReport: Stretch = (EpisodeStatistics(), 0)
    var checkpoint: (episodes: Int, time: ContinuousClock.Instant)?
  }

  let ledger: EpisodeLedger
  let timer: TrainingTimer
  private let length: RunLength
  /// The training time at the beginning of this session, in seconds.
  private let secondsBefore: Double
  private let state = Mutex(State())

  /// The training time of a session before its speed is known, in seconds. At first, moves wait for the memory of the
  /// tables, and those of episodes in progress do not count.
  private static let secondsToSpeed = 5.0
  /// The training time and the share of the run, of which one must pass before the time left is known: the growth
  /// of episodes decides it.
  private static let (secondsToEnd, shareToEnd) = (60.0, 0.01)

  init(ledger: EpisodeLedger, timer: TrainingTimer, length: RunLength) {
    self.ledger = ledger
    self.timer = timer
    self.length = length
    secondsBefore = timer.reading.total
  }

  /// Asks the run to save its state and end after the episodes that are being played.
  public func requestStop() { ledger.requestStop() }

  /// Asks the run to save a checkpoint after the episodes that are being played, and to continue.
  ///
  /// In a job of several processes that merge their weights, the checkpoint comes after the next merge.
  public func requestSave() { ledger.requestSave() }

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
    let session = time.total - secondsBefore
    let isKnown =
      statistics.episodes > 0 && seconds > 0 && session >= RunMonitor.secondsToSpeed
    let share = min(
      1, length.share(episodes: snapshot.episodes, moves: snapshot.moves, seconds: time.total))
    let isEndKnown =
      isKnown && (session >= RunMonitor.secondsToEnd || share >= RunMonitor.shareToEnd)
    return Standing(
      phase: phase, episodes: snapshot.episodes, totalEpisodes: length.episodes, share: share,
      movesPerSecond: isKnown ? Double(statistics.moves) / seconds : 0,
      recent: statistics, checkpoint: checkpoint,
      secondsLeft: isEndKnown
        ? length.secondsLeft(
          episodes: snapshot.episodes, moves: snapshot.moves, seconds: time.total,
          recent: (statistics.episodes, statistics.moves), in: seconds) : nil)
  }

  /// Records what the run is doing.
  func enter(_ phase: RunPhase) { state.withLock { $0.phase = phase } }

  /// Records that a checkpoint after `episodes` episodes is in place.
  func saved(episodes: Int) {
    state.withLock { $0.checkpoint = (episodes, .now) }
  }

  /// Starts the sums of a new report; those before are `statistics`, of `seconds` of training.
  func beginReport(after statistics: EpisodeStatistics, seconds: Double) {
    state.withLock { $0.lastReport = (statistics, seconds) }
    ledger.beginReport()
    timer.beginReport()
  }
}

/// What a training run is doing, or how it ended.
public enum RunPhase: String, Sendable {
  case ready, training, evaluating, checkpointing, interrupted, finished, failed
}

/// A run in a list of runs. `fields` documents the properties.
public struct RunSummary: Sendable {
  public let name: String
  public let isTraining: Bool
  public let last: TrainingReport?
  public let bestMeanScore: Double?
  public let secondsLeft: Double?

  /// Returns the summaries of runs, starting with that of the latest report.
  public static func all(_ runs: [RunDirectory]) -> [RunSummary] {
    runs.map { (run: $0, date: $0.lastReportDate ?? .distantPast) }
      .sorted { $0.date > $1.date }
      .map { RunSummary($0.run, reported: $0.date) }
  }

  /// - Parameter reported: The time of the last report.
  private init(_ run: RunDirectory, reported: Date) {
    let began = DirectoryLock.heldSince(run.path)
    name = run.name
    isTraining = began != nil
    last = run.lastReport
    bestMeanScore = (try? run.checkpoints.best())?.meanScore
    secondsLeft = began.flatMap { began in
      // A run that has been resumed has not gone on from its last report before that.
      let elapsed = -max(began, reported).timeIntervalSinceNow
      return run.secondsLeft().map { max(0, $0 - max(0, elapsed)) }
    }
  }
}

extension RunSummary: Document {
  package static let fields: [Field<RunSummary>] = [
    Field("name", \.name, "The name of the run under `Models/`.")
      .column("run") { $0.name },
    Field(
      optional: "last", \.last, "The last [report](Metrics.md); missing without one.",
      isListed: false
    )
    .column("episodes") { $0.last.map { NumberText.grouped($0.episodes) } }
    .column("time") { $0.last.map { NumberText.duration($0.wallSeconds) } }
    .column("while training") { run in
      run.last.flatMap { $0.games == 0 ? nil : NumberText.grouped($0.meanScore) }
    },
    Field(
      optional: "bestMeanScore", \.bestMeanScore, unit: "points",
      "The mean score of the best evaluation; missing without one."
    )
    .column("best evaluation") { $0.bestMeanScore.map { NumberText.grouped($0) } },
    Field("isTraining", \.isTraining, "Whether a process is training the run now."),
    Field(
      optional: "secondsLeft", \.secondsLeft, unit: "s",
      "An estimate of the time to the end; missing unless the run is training."
    )
    .column("left") { $0.isTraining ? $0.secondsLeft.map(NumberText.duration) ?? "?" : nil },
  ]
}

extension RunDirectory {
  fileprivate var lastReportDate: Date? {
    try? FileManager.default.attributesOfItem(atPath: metricsPath)[.modificationDate] as? Date
  }
}

/// The games of one evaluation of a run: greedy play without learning.
public struct EvaluationGames: Sendable {
  /// The network to evaluate. It does not change while the games are played.
  public let network: NTupleNetwork
  /// The number of games.
  public let count: Int
  /// The seed of the spawns, the same for all evaluations of all runs.
  public let seed: UInt64
  /// The number of threads that may play in parallel.
  public let threads: Int
  /// The rules of the game.
  public let rules: Rules
  /// Receives the residuals of the games, from which the run calibrates its level offsets.
  public let levels = LevelRecorder()
  /// Whether the run has been asked to stop. May be called from any thread.
  public let shouldStop: @Sendable () -> Bool

  /// Plays the games and returns their outcome, or nil if they were stopped before the last one.
  ///
  /// `Training` contains no player; the caller of ``TrainingRun`` passes this function.
  public typealias Evaluate = (EvaluationGames) -> TrainingReport.Evaluation?
}
