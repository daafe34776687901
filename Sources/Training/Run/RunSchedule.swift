/// The moments at which a run reports, evaluates and saves.
struct RunSchedule {
  /// What the periods of the configuration make due at a barrier.
  struct Due: Equatable {
    var report = false
    var inheritance = false
    var averaging = false
    var evaluation = false
    var checkpoint = false
  }

  private let configuration: TrainingConfiguration
  private var lastEvaluation: SuspendingClock.Instant
  private var lastCheckpoint: SuspendingClock.Instant

  /// - Parameter sinceEvaluation: seconds since the last evaluation, including earlier sessions.
  init(
    _ configuration: TrainingConfiguration, now: SuspendingClock.Instant,
    sinceEvaluation: Double = 0
  ) {
    self.configuration = configuration
    lastEvaluation = now - .seconds(sinceEvaluation)
    lastCheckpoint = now
  }

  /// Returns the episode of the next barrier after `episodes` of the `total` episodes of a run.
  func nextBarrier(after episodes: Int, of total: Int) -> Int {
    let periods = [
      configuration.reportEveryEpisodes, configuration.evaluationEveryEpisodes,
      configuration.checkpointEveryEpisodes, configuration.averagingEveryEpisodes,
      configuration.inheritEveryEpisodes,
    ]
    return periods.filter { $0 > 0 }.map { period in
      let (next, overflow) = (episodes / period + 1).multipliedReportingOverflow(by: period)
      return overflow ? total : next
    }.reduce(min(total, nextEarlyEvaluation(after: episodes) ?? total), min)
  }

  /// Returns the episode of the next evaluation at growing intervals; nil if no more follow.
  private func nextEarlyEvaluation(after episodes: Int) -> Int? {
    var next = configuration.evaluationFirstEpisodes
    guard next > 0 else { return nil }
    while next <= episodes {
      let (double, overflow) = next.multipliedReportingOverflow(by: 2)
      if overflow { return nil }
      next = double
    }
    let period = configuration.evaluationEveryEpisodes
    return period == 0 || next < period ? next : nil
  }

  /// The time of the next barrier; nil if no period goes by time.
  var nextDeadline: SuspendingClock.Instant? {
    [
      (lastEvaluation, configuration.evaluationEverySeconds),
      (lastCheckpoint, configuration.checkpointEverySeconds),
    ].compactMap { last, period in period > 0 ? last + .seconds(period) : nil }.min()
  }

  /// Returns what is due at a barrier after `episodes` episodes, which are this share of the run.
  ///
  /// What has become due since the previous barrier counts, too: the barriers of ranks that merge their
  /// weights come at any episode.
  ///
  /// - Parameter before: the episodes at the previous barrier. If none have ended since, as after a
  ///   round without a game's end or an immediate stop, nothing is due by their number.
  func due(at episodes: Int, after before: Int, share: Double, now: SuspendingClock.Instant) -> Due
  {
    func isDue(_ period: Int) -> Bool {
      period > 0 && episodes / period > before / period
    }
    func hasPassed(_ last: SuspendingClock.Instant, _ period: Double) -> Bool {
      period > 0 && now >= last + .seconds(period)
    }
    return Due(
      report: isDue(configuration.reportEveryEpisodes),
      inheritance: isDue(configuration.inheritEveryEpisodes)
        && isInheritanceDue(at: episodes, after: before),
      averaging: isDue(configuration.averagingEveryEpisodes)
        && share >= configuration.averagingFrom,
      evaluation: isDue(configuration.evaluationEveryEpisodes)
        || nextEarlyEvaluation(after: before).map { $0 <= episodes } ?? false
        || hasPassed(lastEvaluation, configuration.evaluationEverySeconds),
      checkpoint: isDue(configuration.checkpointEveryEpisodes)
        || hasPassed(lastCheckpoint, configuration.checkpointEverySeconds))
  }

  /// Whether inheritance takes place. It matters most, and costs least, early in a run.
  private func isInheritanceDue(at episodes: Int, after before: Int) -> Bool {
    let period = configuration.inheritEveryEpisodes
    return (before / period + 1...episodes / period).contains { $0 <= 10 || $0 % 5 == 0 }
  }

  /// Returns the seconds since the last evaluation, including earlier sessions.
  func secondsSinceEvaluation(at now: SuspendingClock.Instant) -> Double {
    lastEvaluation.duration(to: now).seconds
  }

  /// Restarts the time to the next evaluation.
  mutating func evaluated(at now: SuspendingClock.Instant) { lastEvaluation = now }

  /// Restarts the time to the next checkpoint.
  mutating func saved(at now: SuspendingClock.Instant) { lastCheckpoint = now }
}

extension TrainingConfiguration {
  /// Whether a run is evaluated on the way, and thus at its end.
  var evaluates: Bool {
    evaluationFirstEpisodes > 0 || evaluationEveryEpisodes > 0 || evaluationEverySeconds > 0
  }
}

/// The situation of a run at a barrier, where all workers have met and all weights are at rest.
///
/// What the run does there follows from this situation alone: first ``startsEvaluation``; then, with the outcome of
/// that evaluation, ``reports``, ``saves``, ``outcome`` and ``leavesEvaluationPending``.
struct Barrier: Equatable {
  /// The outcome of an evaluation.
  enum EvaluationOutcome: Equatable {
    /// A stop ended it before its last game.
    case stopped
    case completed(isBest: Bool)
  }

  /// What the periods of the configuration make due.
  var due = RunSchedule.Due()
  /// Whether the run has reached its length.
  var hasEnded = false
  /// Whether the run has reached the pause that its caller set, and not its length.
  var isPaused = false
  var isStopRequested = false
  /// Whether an evaluation was due at an earlier barrier and has not been played to its end.
  var isEvaluationPending = false
  /// Whether the configuration asks for evaluations, and thus for one at the end of the run.
  var evaluates = false
  /// Whether episodes have ended since the last report.
  var hasUnreportedEpisodes = false
  /// The outcome of the evaluation at this barrier; nil if there was none.
  var evaluation: EvaluationOutcome?

  /// Whether the run evaluates itself now.
  ///
  /// At its end a run starts an evaluation even if a stop is requested, which then ends it at once
  /// and leaves it pending.
  var startsEvaluation: Bool {
    (due.evaluation || isEvaluationPending || hasEnded && evaluates)
      && (hasEnded || !isPaused && !isStopRequested)
  }

  /// Whether the run writes a report.
  var reports: Bool {
    if outcome == .finished { return true }
    if case .completed = evaluation { return true }
    // A run that was stopped before it played anything has reported where it stands, and one whose
    // evaluation is pending reports with it.
    return (due.report || isPaused) && hasUnreportedEpisodes && !leavesEvaluationPending
  }

  /// Whether the run saves a checkpoint.
  var saves: Bool { due.checkpoint || evaluation == .completed(isBest: true) || outcome != nil }

  /// How the run ends here; nil if it continues.
  var outcome: TrainingRun.Outcome? {
    if hasEnded && !leavesEvaluationPending { return .finished }
    return isPaused || isStopRequested ? .interrupted : nil
  }

  /// Whether the run plays an evaluation before anything else when it is resumed.
  var leavesEvaluationPending: Bool {
    switch evaluation {
    case .completed: false
    case .stopped: true
    // A stop postpones the evaluation that is due. A pause does not: its caller evaluates the run.
    case nil:
      isEvaluationPending
        || due.evaluation && isStopRequested && !hasEnded && !isPaused && hasUnreportedEpisodes
    }
  }
}
