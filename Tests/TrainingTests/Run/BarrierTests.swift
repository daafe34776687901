import Testing

@testable import Training

@Suite struct BarrierTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let barrier: Barrier
    let startsEvaluation, reports, saves, leavesEvaluationPending: Bool
    let outcome: TrainingRun.Outcome?

    init(
      _ description: String, starts: Bool = false, reports: Bool = false, saves: Bool = false,
      pending: Bool = false, _ outcome: TrainingRun.Outcome? = nil,
      _ change: (inout Barrier) -> Void
    ) {
      testDescription = description
      var barrier = Barrier()
      barrier.hasUnreportedEpisodes = true
      change(&barrier)
      self.barrier = barrier
      startsEvaluation = starts
      (self.reports, self.saves) = (reports, saves)
      (leavesEvaluationPending, self.outcome) = (pending, outcome)
    }
  }

  static let onTheWay = [
    Case("nothing is due") { _ in },
    Case("a report is due", reports: true) { $0.due.report = true },
    Case("a report is due, but no episode has ended") {
      $0.due.report = true
      $0.hasUnreportedEpisodes = false
    },
    Case("a checkpoint is due", saves: true) { $0.due.checkpoint = true },
    Case("learning needs no report and no checkpoint") {
      $0.due.inheritance = true
      $0.due.averaging = true
    },
    Case("an evaluation found the best weights", starts: true, reports: true, saves: true) {
      $0.due.evaluation = true
      $0.evaluation = .completed(isBest: true)
    },
    Case("an evaluation found others better", starts: true, reports: true) {
      $0.due.evaluation = true
      $0.evaluation = .completed(isBest: false)
    },
    Case("an evaluation goes by time, and no episode has ended", starts: true, reports: true) {
      $0.due.evaluation = true
      $0.hasUnreportedEpisodes = false
      $0.evaluation = .completed(isBest: false)
    },
    Case("a pending evaluation is played first", starts: true, reports: true) {
      $0.isEvaluationPending = true
      $0.evaluation = .completed(isBest: false)
    },
    Case(
      "an evaluation was given up without a stop, and is tried again", starts: true, pending: true
    ) {
      $0.due.evaluation = true
      $0.due.report = true
      $0.evaluation = .stopped
    },
  ]

  static let stops = [
    Case("a stop", saves: true, .interrupted) { $0.isStopRequested = true },
    Case("a stop where a report is due", reports: true, saves: true, .interrupted) {
      $0.isStopRequested = true
      $0.due.report = true
    },
    Case("a stop before anything was played", saves: true, .interrupted) {
      $0.isStopRequested = true
      $0.due.report = true
      $0.due.evaluation = true
      $0.hasUnreportedEpisodes = false
    },
    Case(
      "a stop where an evaluation is due, which then reports", saves: true, pending: true,
      .interrupted
    ) {
      $0.isStopRequested = true
      $0.due.report = true
      $0.due.evaluation = true
    },
    Case("a stop before a pending evaluation", saves: true, pending: true, .interrupted) {
      $0.isStopRequested = true
      $0.isEvaluationPending = true
      $0.hasUnreportedEpisodes = false
    },
    Case("a stop ended the evaluation", saves: true, pending: true, .interrupted) {
      $0.isStopRequested = true
      $0.due.report = true
      $0.due.evaluation = true
      $0.evaluation = .stopped
    },
    Case(
      "a stop came during the last game of the evaluation", reports: true, saves: true,
      .interrupted
    ) {
      $0.isStopRequested = true
      $0.due.evaluation = true
      $0.evaluation = .completed(isBest: false)
    },
  ]

  static let ends = [
    Case("the end without evaluations", reports: true, saves: true, .finished) {
      $0.hasEnded = true
    },
    Case("the end after the last report", reports: true, saves: true, .finished) {
      $0.hasEnded = true
      $0.hasUnreportedEpisodes = false
    },
    Case("the end, and a stop", reports: true, saves: true, .finished) {
      $0.hasEnded = true
      $0.isStopRequested = true
    },
    Case("the end is evaluated", starts: true, reports: true, saves: true, .finished) {
      $0.hasEnded = true
      $0.evaluates = true
      $0.evaluation = .completed(isBest: false)
    },
    Case(
      "a stop ended the evaluation of the end", starts: true, saves: true, pending: true,
      .interrupted
    ) {
      $0.hasEnded = true
      $0.evaluates = true
      $0.due.report = true
      $0.isStopRequested = true
      $0.evaluation = .stopped
    },
    Case(
      "the pending evaluation of the end", starts: true, reports: true, saves: true, .finished
    ) {
      $0.hasEnded = true
      $0.evaluates = true
      $0.isEvaluationPending = true
      $0.hasUnreportedEpisodes = false
      $0.evaluation = .completed(isBest: true)
    },
  ]

  static let pauses = [
    Case("a pause", reports: true, saves: true, .interrupted) { $0.isPaused = true },
    Case("a pause that the run is past", saves: true, .interrupted) {
      $0.isPaused = true
      $0.hasUnreportedEpisodes = false
    },
    Case("a pause replaces an evaluation", reports: true, saves: true, .interrupted) {
      $0.isPaused = true
      $0.evaluates = true
      $0.due.evaluation = true
    },
    Case("a stop at a pause", reports: true, saves: true, .interrupted) {
      $0.isPaused = true
      $0.isStopRequested = true
      $0.due.evaluation = true
    },
    Case("a pause with a pending evaluation", saves: true, pending: true, .interrupted) {
      $0.isPaused = true
      $0.isEvaluationPending = true
    },
  ]

  @Test(arguments: onTheWay + stops + ends + pauses)
  func theRunDecides(_ test: Case) {
    #expect(test.barrier.startsEvaluation == test.startsEvaluation)
    #expect(test.barrier.reports == test.reports)
    #expect(test.barrier.saves == test.saves)
    #expect(test.barrier.leavesEvaluationPending == test.leavesEvaluationPending)
    #expect(test.barrier.outcome == test.outcome)
  }

  /// All situations of a run.
  private var situations: [Barrier] {
    let flags: [WritableKeyPath<Barrier, Bool>] = [
      \.due.report, \.due.evaluation, \.due.checkpoint, \.hasEnded, \.isPaused, \.isStopRequested,
      \.isEvaluationPending, \.evaluates, \.hasUnreportedEpisodes,
    ]
    return (0..<1 << flags.count).flatMap { bits -> [Barrier] in
      var barrier = Barrier()
      for (bit, flag) in flags.enumerated() { barrier[keyPath: flag] = bits >> bit & 1 == 1 }
      guard !(barrier.hasEnded && barrier.isPaused) else { return [] }
      guard barrier.startsEvaluation else { return [barrier] }
      let outcomes = [
        Barrier.EvaluationOutcome.stopped, .completed(isBest: false), .completed(isBest: true),
      ]
      return outcomes.map { outcome -> Barrier in
        barrier.evaluation = outcome
        return barrier
      }
    }
  }

  @Test func whatHoldsInEverySituation() {
    let situations = situations
    #expect(situations.count > 384)
    for barrier in situations {
      // A run is always saved at its end, and a finished one has reported and evaluated its final state.
      #expect(barrier.saves || barrier.outcome == nil)
      if barrier.outcome == .finished {
        #expect(barrier.hasEnded && barrier.reports && !barrier.leavesEvaluationPending)
        if case .completed = barrier.evaluation {} else { #expect(!barrier.evaluates) }
      }
      // A stop and a pause always end it.
      #expect(barrier.outcome != nil || !barrier.isStopRequested && !barrier.isPaused)
      #expect(!barrier.isPaused || !barrier.startsEvaluation)
      // An evaluation is reported once, with the episodes up to it.
      if barrier.leavesEvaluationPending { #expect(!barrier.reports) }
      if case .completed(let isBest) = barrier.evaluation {
        #expect(barrier.reports && !barrier.leavesEvaluationPending && (barrier.saves || !isBest))
      }
      // Pending work is not lost.
      if barrier.isEvaluationPending, !barrier.leavesEvaluationPending {
        if case .completed = barrier.evaluation {} else { Issue.record("lost: \(barrier)") }
      }
    }
  }
}
