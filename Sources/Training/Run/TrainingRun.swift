import Basics
import Learning
import Logging
import NTupleNetwork

/// A training run: a network, the workers that play on it, and the directory that keeps both.
///
/// ``start(in:configuration:initialModel:ranks:)`` and
/// ``resume(in:configuration:acceptsChanges:ranks:)`` prepare a run;
/// ``train(logger:until:evaluate:onReport:)`` carries it out:
///
/// ```swift
/// let run = try TrainingRun.start(in: RunDirectory(path: "Models/mine"), configuration: configuration)
/// let outcome = try run.train(logger: logger, evaluate: evaluate) { report in
///   print(report.episodes, report.meanScore)
/// }
/// ```
///
/// Thread safety: one thread uses a run; others watch and stop it through its ``monitor``.
public final class TrainingRun {
  /// How a run ended without an error.
  public enum Outcome: Sendable {
    case finished, interrupted
  }

  /// The directory of the run.
  public let directory: RunDirectory
  /// The resolved configuration.
  public let configuration: TrainingConfiguration
  /// The view of the run for other threads.
  public let monitor: RunMonitor

  let origin: RunOrigin
  /// The players.
  package let team: SelfPlayTeam
  /// The average of the network's weights; nil if the run has none.
  let average: WeightAverage?
  /// The level offsets of the network that plays, from the last evaluation. Learning does without them.
  private var levelOffsets: LevelOffsets
  /// What the preparation found wrong without being an error; logged when training begins.
  var warnings: [String] = []
  /// Whether an evaluation comes before anything else, see ``Barrier``.
  private(set) var isEvaluationPending: Bool
  /// Seconds from the last evaluation to the end of the last call of `train`.
  private var secondsSinceEvaluation: Double
  /// Writes reports and checkpoints; nil before training begins.
  private var writer: RunWriter?

  private let lock: DirectoryLock
  private let startedAt = ContinuousClock.now

  /// The seed of every evaluation, so that all evaluations can be compared.
  private static let evaluationSeed: UInt64 = 2048

  /// Prepares a new run and creates its directory.
  ///
  /// - Parameters:
  ///   - directory: The directory of the run.
  ///   - configuration: The configuration of the run.
  ///   - initialModel: A weight file of any format to start from instead of zero weights.
  ///   - ranks: The processes of the job, of which this one has rank 0. The others call
  ///     `SelfPlayTeam.follow`.
  /// - Throws: `LocatedError`. Nothing is left behind.
  public static func start(
    in directory: RunDirectory, configuration: TrainingConfiguration, initialModel: String? = nil,
    ranks: any Communicator = SoleProcess()
  ) throws -> TrainingRun {
    try RunPreparation(directory, configuration, ranks).start(from: initialModel)
  }

  /// Prepares a run to continue from its last saved state.
  ///
  /// A run that was stopped before it saved anything starts from the beginning.
  ///
  /// - Parameters:
  ///   - directory: The directory of the run.
  ///   - configuration: The configuration of the run.
  ///   - acceptsChanges: Whether keys may differ from those that the checkpoint was trained with, even if
  ///     learning depends on them.
  ///   - ranks: The processes of the job, as for a new run. Their number may have changed.
  /// - Throws: `LocatedError` if another process has the run, or if its files are damaged; of kind `usage`
  ///   if the run is finished; `ConfigurationError` if the configuration has changed.
  public static func resume(
    in directory: RunDirectory, configuration: TrainingConfiguration, acceptsChanges: Bool = false,
    ranks: any Communicator = SoleProcess()
  ) throws -> TrainingRun {
    try RunPreparation(directory, configuration, ranks, acceptsChanges: acceptsChanges).resume()
  }

  init(
    _ directory: RunDirectory, _ configuration: TrainingConfiguration, _ lock: DirectoryLock,
    from origin: RunOrigin, _ ranks: any Communicator, _ loop: SelfPlayTeam.Loop
  ) {
    let state = origin.state
    self.directory = directory
    self.configuration = configuration
    self.lock = lock
    self.origin = origin
    average =
      configuration.averagingEveryEpisodes == 0
      ? nil
      : WeightAverage(
        origin.network.shape, origin.average, count: state.averaged,
        share: Float(configuration.averagingShare), window: configuration.averagingWindow)
    levelOffsets = origin.levelOffsets
    isEvaluationPending = state.isEvaluationPending ?? false && configuration.evaluates
    secondsSinceEvaluation = state.secondsSinceEvaluation ?? 0
    monitor = RunMonitor(
      ledger: EpisodeLedger(
        episodes: state.episodes, moves: state.moves, sinceReport: state.sinceReport),
      timer: TrainingTimer(from: (state.secondsOfTraining, state.trainingSecondsSinceReport)),
      length: configuration.length)
    team = SelfPlayTeam(
      origin.network, origin.accumulators, configuration, monitor.ledger, state.selfPlay, ranks,
      loop)
  }

  /// The memory and disk space that the run takes, as a sentence.
  public var resources: String {
    RunResources(origin.network.shape, configuration, ranks: team.ranks.size).description
  }

  // MARK: Training

  /// Plays and learns until the run ends, reaches `pause`, or is stopped through its ``monitor``.
  ///
  /// The state is saved before it returns. On the way, the failure of a checkpoint or of a report
  /// is logged, and the next one tries again. Weights that diverge end the run at the next barrier.
  ///
  /// After a pause, another call continues the run. After the end, it does nothing.
  ///
  /// - Parameters:
  ///   - logger: The log for checkpoints and failures.
  ///   - pause: The point at which to pause the run with a report. Nothing is played if the run is past it.
  ///   - evaluate: Plays the evaluations that the configuration schedules.
  ///   - onReport: Called with every report, on the calling thread.
  /// - Throws: `LocatedError` if the final state cannot be saved or the weights have diverged; the
  ///   error of writing the last reports.
  public func train(
    logger: Logger, until pause: RunLength = RunLength(), evaluate: EvaluationGames.Evaluate,
    onReport: (TrainingReport) throws -> Void
  ) throws -> Outcome {
    if monitor.progress.phase == .finished { return .finished }
    if writer == nil { logBeginning(to: logger) }
    let writer =
      writer
      ?? RunWriter(
        directory, configuration, from: origin.state, logger: logger, onSave: monitor.saved)
    writer.logger = logger
    self.writer = writer
    defer { writer.finishSave() }
    do {
      return try train(
        until: configuration.length.cut(at: pause), writer, evaluate: evaluate, onReport: onReport)
    } catch {
      monitor.enter(.failed)
      throw error
    }
  }

  private func logBeginning(to logger: Logger) {
    for warning in warnings { logger.warning("\(warning)") }
    for change in origin.changes {
      logger.log(
        level: change.mayChangeOnResume ? .info : .warning,
        "\(change.path) has changed since the last checkpoint: \(change.before) → \(change.after)")
    }
  }

  private func train(
    until end: RunLength, _ writer: RunWriter, evaluate: EvaluationGames.Evaluate,
    onReport: (TrainingReport) throws -> Void
  ) throws -> Outcome {
    var schedule = RunSchedule(
      configuration, now: RunClock.now, sinceEvaluation: secondsSinceEvaluation)
    defer { secondsSinceEvaluation = schedule.secondsSinceEvaluation(at: RunClock.now) }
    while true {
      monitor.enter(.training)
      var barrier = playToBarrier(schedule, end)
      if hasDiverged {
        // The error names the last checkpoint.
        writer.finishSave()
        throw divergence
      }

      // All ranks have a part in what is evaluated or saved.
      if barrier.startsEvaluation || barrier.saves {
        monitor.timer.count { team.settle() }
      }
      let weights = barrier.startsEvaluation || barrier.saves ? savedWeights : nil
      var evaluation: TrainingReport.Evaluation?
      var isBest = false
      if barrier.startsEvaluation, let weights {
        monitor.enter(.evaluating)
        let games = evaluationGames(of: player(weights))
        evaluation = evaluate(games)
        if evaluation != nil { calibrate(by: games.levels.residuals) }
        schedule.evaluated(at: RunClock.now)
        isBest = evaluation.map(writer.isBest) ?? false
        barrier.evaluation = evaluation == nil ? .stopped : .completed(isBest: isBest)
        barrier.isStopRequested = monitor.ledger.isStopRequested
      }

      isEvaluationPending = barrier.leavesEvaluationPending
      if barrier.reports {
        let report = makeReport(evaluation)
        try writer.write(report)
        try onReport(report)
      }
      writer.logEndedSave()
      if barrier.saves, let weights {
        monitor.enter(.checkpointing)
        try writer.save(isLast: barrier.outcome != nil) { formerBest in
          try prepareSave(
            weights, bestMeanScore: isBest ? evaluation?.meanScore : nil, formerBest: formerBest,
            sinceEvaluation: schedule.secondsSinceEvaluation(at: RunClock.now))
        }
        schedule.saved(at: RunClock.now)
      }
      if let outcome = barrier.outcome {
        try writer.writeRemainingReports()
        monitor.enter(outcome == .finished ? .finished : .interrupted)
        return outcome
      }
    }
  }

  /// Lets the workers play until the next barrier, waits for them all, and carries out what
  /// learning requires all weights at rest for.
  private func playToBarrier(_ schedule: RunSchedule, _ end: RunLength) -> Barrier {
    let ledger = monitor.ledger
    let before = ledger.snapshot.episodes
    if !hasReached(end), !isEvaluationPending {
      let seconds = monitor.timer.reading.total
      let deadline = end.seconds > 0 ? RunClock.now + .seconds(end.seconds - seconds) : nil
      monitor.timer.count {
        let total = end.episodes > 0 ? end.episodes : .max
        // Merges have a separate interval, and what is due waits for the next one.
        let waits = team.mergesCopies
        team.play(
          until: waits ? total : schedule.nextBarrier(after: before, of: total),
          deadline: [waits ? nil : schedule.nextDeadline, deadline].compactMap(\.self).min(),
          moveLimit: end.moves > 0 ? end.moves : .max, secondsBefore: seconds)
      }
    }
    let snapshot = ledger.snapshot
    var due = schedule.due(
      at: snapshot.episodes, after: before, share: share(of: configuration.length),
      now: RunClock.now)
    if ledger.takeSaveRequest() { due.checkpoint = true }
    monitor.timer.count {
      if due.inheritance { team.inheritWeights() }
      if due.averaging { average?.add(origin.network) }
    }
    let hasEnded = hasReached(configuration.length)
    return Barrier(
      due: due, hasEnded: hasEnded, isPaused: !hasEnded && hasReached(end),
      isStopRequested: ledger.isStopRequested, isEvaluationPending: isEvaluationPending,
      evaluates: configuration.evaluates,
      hasUnreportedEpisodes: snapshot.sinceReport.episodes > 0)
  }

  private func share(of length: RunLength) -> Double {
    let snapshot = monitor.ledger.snapshot
    return length.share(
      episodes: snapshot.episodes, moves: snapshot.moves,
      seconds: monitor.timer.reading.total)
  }

  private func hasReached(_ length: RunLength) -> Bool { share(of: length) >= 1 }

  /// The part of the interval of averages that has passed since the last one.
  var partOfAveraging: Float {
    let interval = configuration.averagingEveryEpisodes
    return interval == 0
      ? 0 : Float(monitor.ledger.snapshot.episodes % interval) / Float(interval)
  }

  /// The weights to evaluate and to save: the average up to now, or those that learn if there is none.
  var savedWeights: SharedWeights {
    average?.snapshot(with: origin.network, after: partOfAveraging).weights
      ?? origin.network.weights
  }

  /// Returns the network that plays: these weights with ``levelOffsets``.
  func player(_ weights: SharedWeights) -> NTupleNetwork {
    let player = NTupleNetwork(origin.network.shape, weights: weights)
    player.levelOffsets = levelOffsets
    return player
  }

  /// Lets the level offsets make up for the jumps of the value that an evaluation found.
  private func calibrate(by residuals: LevelResiduals) {
    if residuals.games > 0 {
      levelOffsets = residuals.offsets(correcting: levelOffsets, origin.network.shape.downgrading)
    }
  }

  private func evaluationGames(of player: NTupleNetwork) -> EvaluationGames {
    EvaluationGames(
      network: player, count: configuration.evaluationGames, seed: TrainingRun.evaluationSeed,
      threads: configuration.threads, rules: configuration.rules,
      shouldStop: { [ledger = monitor.ledger] in ledger.isStopRequested })
  }

  /// Returns the report of the episodes since the last one, and starts the sums of the next.
  private func makeReport(_ evaluation: TrainingReport.Evaluation?) -> TrainingReport {
    let snapshot = monitor.ledger.snapshot
    let time = monitor.timer.reading
    let statistics = snapshot.sinceReport
    let merging = team.takeMergeReadings().flatMap {
      TrainingReport.Merging($0, seconds: time.sinceReport)
    }
    monitor.beginReport(after: statistics, seconds: time.sinceReport)
    let share = configuration.length.share(
      episodes: snapshot.episodes, moves: snapshot.moves, seconds: time.total)
    return TrainingReport(
      episodes: snapshot.episodes, moves: snapshot.moves, wallSeconds: wallSeconds,
      trainingSeconds: time.total,
      movesPerSecond: time.sinceReport > 0 ? Double(statistics.moves) / time.sinceReport : 0,
      games: statistics.games > 0 && statistics.games == statistics.episodes
        ? nil : statistics.games,
      meanScore: statistics.meanScore, maxScore: statistics.maxScore, reached: statistics.reached,
      learningRate: configuration.learningRate.value(at: share), merging: merging,
      evaluation: evaluation)
  }

  /// Seconds since the run began, over all its sessions.
  var wallSeconds: Double {
    origin.state.wallSeconds + startedAt.duration(to: .now).seconds
  }
}
