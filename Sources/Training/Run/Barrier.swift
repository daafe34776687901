/// The situation of a run at a barrier, where all workers have met and all weights are at rest.
///
/// What the run does there follows from this situation alone: first ``startsEvaluation``; then,
/// with the outcome of that evaluation, ``decision``.
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

  /// What the run does after the evaluation, if there was one.
  var decision: BarrierDecision {
    let isPending = leavesEvaluationPending
    let outcome: TrainingRun.Outcome? =
      hasEnded && !isPending ? .finished : isPaused || isStopRequested ? .interrupted : nil
    // A run that was stopped before it played anything has reported where it stands, and one whose
    // evaluation is pending reports with it.
    let isReportDue = (due.report || isPaused) && hasUnreportedEpisodes && !isPending
    var (isCompleted, isBest) = (false, false)
    if case .completed(let best) = evaluation { (isCompleted, isBest) = (true, best) }
    return BarrierDecision(
      reports: isReportDue || isCompleted || outcome == .finished,
      saves: due.checkpoint || isBest || outcome != nil, isEvaluationPending: isPending,
      outcome: outcome)
  }

  /// Whether the run plays an evaluation before anything else when it is resumed.
  private var leavesEvaluationPending: Bool {
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

/// What a run does at a barrier, see ``Barrier/decision``.
struct BarrierDecision: Equatable {
  /// Whether it writes a report.
  var reports = false
  /// Whether it saves a checkpoint.
  var saves = false
  /// Whether an evaluation remains to be played.
  var isEvaluationPending = false
  /// How the run ends here; nil if it continues.
  var outcome: TrainingRun.Outcome?
}
