import Basics
import Training

/// The execution of a plan, trial by trial, in a directory from which a stopped or killed sweep can resume.
///
/// A trial is a separate ``TrainingRun``, followed by games with its last weights. Trials run seed by seed
/// through all variants, so that a machine with varying speed treats variants equally. With rungs, all
/// variants train to the first rung. The best by mean score, and the first variant, continue as the same runs to the
/// next. A variant that diverged with a seed is dropped there.
/// In a job, each rank carries out a trial at a time; see ``JobTrials``.
///
/// Thread safety: one thread runs a sweep; any thread may call ``requestStop``.
///
/// Source: successive halving, Jamieson and Talwalkar, "Non-stochastic best arm identification and
/// hyperparameter optimization", 2016.
package final class Sweep {
  /// A step of a sweep.
  package enum Event: Sendable {
    /// A trial starts training, or its evaluation starts, without a monitor; `number` counts from 1 to `total`.
    case running(variant: String, seed: Int, number: Int, total: Int, RunMonitor?)
    /// A trial is finished.
    case done(TrialResult, number: Int, total: Int)
    /// The variants that continue, best first, and those that are dropped.
    case selected(kept: [String], dropped: [String])
  }

  private let runner: TrialRunner
  private let ranks: any Communicator
  private let lock: DirectoryLock
  private var results: [TrialResult]

  /// Creates the directory of a new sweep.
  ///
  /// - Parameters:
  ///   - threads: the number of threads of evaluations; training uses that of its configuration.
  ///   - ranks: the processes of the job, of which this one has rank 0. The others call ``follow``.
  /// - Throws: ``LocatedError``. Nothing is left behind.
  package static func start(
    _ plan: SweepPlan, in directory: SweepDirectory, threads: Int,
    ranks: any Communicator = SoleProcess()
  ) throws -> Sweep {
    try fillNewDirectory(at: directory.path) { lock in
      guard !directory.exists else {
        throw LocatedError(
          .locked, path: directory.path, "another process has just started a sweep here",
          remedy: "choose another --run")
      }
      try writeAtomically(plan.json.indentedText.utf8, to: directory.planPath)
      return Sweep(plan, directory, threads, ranks, lock, results: [])
    }
  }

  /// Opens a sweep to resume it.
  ///
  /// - Throws: ``LocatedError`` if another process uses it, or its results are damaged; ``ConfigurationError``
  ///   if its plan is damaged.
  package static func resume(
    in directory: SweepDirectory, threads: Int, ranks: any Communicator = SoleProcess()
  ) throws -> Sweep {
    let lock = try DirectoryLock(run: directory.path)
    try directory.recoverRuns()
    return Sweep(
      try directory.plan(), directory, threads, ranks, lock, results: try directory.results())
  }

  /// Carries out trials as a rank other than 0, until the sweep of rank 0 ends.
  ///
  /// - Parameters:
  ///   - threads: the number of threads of evaluations.
  ///   - stop: asks the sweep to end.
  package static func follow(
    _ ranks: any Communicator, threads: Int, stop: StopRequest = StopRequest()
  ) throws {
    try JobTrials.follow(ranks, threads: threads, stop: stop)
  }

  private init(
    _ plan: SweepPlan, _ directory: SweepDirectory, _ threads: Int, _ ranks: any Communicator,
    _ lock: DirectoryLock, results: [TrialResult]
  ) {
    runner = TrialRunner(plan: plan, directory: directory, threads: threads)
    self.ranks = ranks
    self.lock = lock
    self.results = results
  }

  /// The directory of the sweep.
  package var directory: SweepDirectory { runner.directory }
  package var plan: SweepPlan { runner.plan }

  /// The results so far.
  package var report: SweepReport { SweepReport(plan, results) }

  /// A closure that asks the sweep, from any thread, to save the current trial and end.
  package var requestStop: @Sendable () -> Void { { [stop = runner.stop] in stop.request() } }

  // MARK: Running

  /// Runs the remaining trials.
  ///
  /// - Parameter onEvent: called on the calling thread.
  /// - Throws: ``LocatedError`` if a run or a result cannot be saved, or is damaged.
  package func run(onEvent: (Event) -> Void) throws -> TrainingRun.Outcome {
    // The process may have been killed between the result of a trial and the files that follow from it.
    if !results.isEmpty { try directory.write(results, report) }
    let job = ranks.size > 1 ? try JobTrials(ranks, runner) : nil
    let outcome = try run(job, onEvent)
    job?.end()
    return outcome
  }

  /// Carries out the remaining trials as rank 0 of a job, or alone.
  private func run(
    _ job: JobTrials?, _ onEvent: (Event) -> Void
  ) throws -> TrainingRun.Outcome {
    var number = 0
    var survivors = Array(plan.variants.indices)
    for rung in plan.budgets.indices {
      var open: [Trial] = []
      let total = report.trialsTotal
      for (seedIndex, seed) in plan.seeds.enumerated() {
        for variant in survivors {
          number += 1
          let trial = Trial(
            variant: variant, seedIndex: seedIndex, rung: rung, number: number, total: total)
          let isDone = results.contains {
            $0.variant == plan.variants[variant].name && $0.seed == seed && $0.rung == rung
          }
          if isDone { try runner.discardWeights(after: trial) } else { open.append(trial) }
        }
      }
      guard try carryOut(open, job, onEvent) else { return .interrupted }
      if rung < plan.rungs.count {
        survivors = try select(from: survivors, at: rung, onEvent)
      }
    }
    return .finished
  }

  /// Carries out trials of one budget; returns whether they were not stopped.
  private func carryOut(
    _ trials: [Trial], _ job: JobTrials?, _ onEvent: (Event) -> Void
  ) throws -> Bool {
    func finish(_ trial: Trial, _ result: TrialResult) throws {
      results.append(result)
      // Ranks finish in any order.
      results.sort { order(of: $0).lexicographicallyPrecedes(order(of: $1)) }
      try directory.write(results, report)
      onEvent(.done(result, number: trial.number, total: trial.total))
      try runner.discardWeights(after: trial)
    }
    if let job { return try job.carryOut(trials, onEvent: onEvent, onResult: finish) }
    for trial in trials {
      guard let result = try runner.carryOut(trial, onEvent) else { return false }
      try finish(trial, result)
    }
    return true
  }

  /// Returns the place of a result in the plan: its budget, seed and variant.
  private func order(of result: TrialResult) -> [Int] {
    [
      result.rung, plan.seeds.firstIndex(of: result.seed) ?? 0,
      plan.variants.firstIndex { $0.name == result.variant } ?? 0,
    ]
  }

  /// Returns the variants that continue after a rung, in the plan's order.
  private func select(
    from survivors: [Int], at rung: Int, _ onEvent: (Event) -> Void
  ) throws -> [Int] {
    // All trials of the rung are done.
    let (kept, dropped) = plan.selection(from: survivors, at: rung, report.rows)!
    onEvent(
      .selected(
        kept: kept.map { plan.variants[$0].name }, dropped: dropped.map { plan.variants[$0].name }))
    if !plan.keepsWeights {
      for variant in dropped {
        for seed in plan.seeds {
          try runner.discardWeights(of: directory.run(ofVariant: variant, of: plan, seed: seed))
        }
      }
    }
    return kept.sorted()
  }
}
