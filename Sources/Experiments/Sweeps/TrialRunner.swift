import Basics
import Foundation
import Logging
import Play
import Training

/// A trial of a plan: the training of a variant with one seed up to one budget, and its evaluation.
struct Trial: Codable, Sendable {
  /// The indices of the variant, the seed and the budget in the plan.
  let variant: Int
  let seedIndex: Int
  let rung: Int
  /// The number of the trial from 1, and the number of all trials.
  let number: Int
  let total: Int
}

/// Carries out the trials of a plan on this process, in runs of a directory.
///
/// Thread safety: one thread at a time carries out a trial.
struct TrialRunner: Sendable {
  let plan: SweepPlan
  let directory: SweepDirectory
  /// The number of threads of evaluations.
  let threads: Int
  var stop = StopRequest()

  /// Returns the directory of a trial's run.
  func run(of trial: Trial) -> RunDirectory {
    directory.run(ofVariant: trial.variant, of: plan, seed: plan.seeds[trial.seedIndex])
  }

  /// Removes the checkpoints of a finished trial if nothing continues its run, unless the plan keeps its weights.
  func discardWeights(after trial: Trial) throws {
    if !plan.keepsWeights, trial.rung == plan.budgets.count - 1 {
      try discardWeights(of: run(of: trial))
    }
  }

  /// Removes the checkpoints of a finished run.
  func discardWeights(of run: RunDirectory) throws {
    if FileManager.default.fileExists(atPath: run.checkpoints.path) {
      try FileManager.default.removeItem(atPath: run.checkpoints.path)
    }
  }

  /// Trains and evaluates a trial; returns nil if it was stopped.
  ///
  /// If learning diverges, the result has no score.
  ///
  /// - Throws: ``LocatedError`` if its run cannot be saved, or is damaged.
  func carryOut(_ trial: Trial, _ onEvent: (Sweep.Event) -> Void) throws -> TrialResult? {
    let variant = plan.variants[trial.variant]
    let seed = plan.seeds[trial.seedIndex]
    let configuration = plan.configuration(of: variant, seed: seed)
    // Before hours of training.
    try PlayerFactory.requireMemory(
      for: plan.evaluator(model: nil), inParallel: min(threads, plan.evaluationGames))
    let runDirectory = run(of: trial)
    func notify(_ monitor: RunMonitor?) {
      onEvent(
        .running(
          variant: variant.name, seed: seed, number: trial.number, total: trial.total, monitor))
    }
    do {
      // Its result was removed from the file after the weights were discarded, or it never saved any.
      if try hasNothingSaved(runDirectory) { try remove(runDirectory) }
      let run =
        runDirectory.exists
        ? try TrainingRun.resume(in: runDirectory, configuration: configuration)
        : try TrainingRun.start(in: runDirectory, configuration: configuration)
      notify(run.monitor)
      stop.pass { [monitor = run.monitor] in monitor.requestStop() }
      defer { stop.pass(to: nil) }
      let logger = Logger(label: "learn2048") { _ in LogFile(path: runDirectory.logPath) }
      let before = try runDirectory.savedTraining()?.seconds ?? 0
      let began = ContinuousClock.now
      do {
        _ = try run.train(
          logger: logger, until: plan.budgets[trial.rung].length, evaluate: GreedyEvaluation.play,
          onReport: { _ in })
      } catch let error as LocatedError where error.kind == .unsuitableData && run.hasDiverged {
        logger.error("\(error)")
        let training = run.team.ledger.snapshot
        return result(
          of: trial,
          RunLength(
            episodes: training.episodes, moves: training.moves,
            seconds: before + began.duration(to: .now).seconds), nil)
      }
      if stop.isRequested { return nil }
    } catch let error as LocatedError where error.kind == .usage {
      // The process was killed between the end of the training and that of the evaluation.
    }
    notify(nil)
    return try evaluate(trial, runDirectory, configuration)
  }

  /// Returns whether a run directory exists, but has neither a state nor checkpoints.
  private func hasNothingSaved(_ run: RunDirectory) throws -> Bool {
    let manager = FileManager.default
    guard manager.fileExists(atPath: run.path), try run.checkpoints.stateHeader() == nil else {
      return false
    }
    let hasDirectory = manager.fileExists(atPath: run.checkpoints.path)
    return try !hasDirectory || run.checkpoints.checkpoints().isEmpty
  }

  /// Removes a run that no other process uses.
  private func remove(_ run: RunDirectory) throws {
    let lock = try DirectoryLock(run: run.path)
    try withExtendedLifetime(lock) {
      try FileManager.default.removeItem(atPath: run.path)
    }
  }

  /// Returns the result of a trial after this much training; without a report, its learning has diverged.
  private func result(
    of trial: Trial, _ training: RunLength, _ report: ArenaReport?
  ) -> TrialResult {
    let player = report?.players[0]
    return TrialResult(
      variant: plan.variants[trial.variant].name, seed: plan.seeds[trial.seedIndex],
      rung: trial.rung, diverged: report == nil ? true : nil, episodes: training.episodes,
      moves: training.moves, seconds: training.seconds, games: report?.games ?? 0,
      evaluationSeed: plan.evaluationSeed(ofSeed: trial.seedIndex), score: player?.score,
      reached: player?.reached ?? [:])
  }

  /// Plays games with the last weights of a run; returns nil if it was stopped.
  private func evaluate(
    _ trial: Trial, _ run: RunDirectory, _ configuration: TrainingConfiguration
  ) throws -> TrialResult? {
    // Reports could be missing after a power failure.
    guard let training = try run.savedTraining() else {
      throw LocatedError(
        .unsuitableData, path: run.checkpoints.statePath, "is missing",
        remedy: "delete \(run.path) to repeat the trial")
    }
    let contestant = try PlayerFactory().contestant(
      plan.evaluator(model: run.checkpoints.checkpoint(.latest).path),
      name: plan.variants[trial.variant].name, inParallel: min(threads, plan.evaluationGames))
    let report = ArenaReport(
      Arena.run(
        contestants: [contestant], games: plan.evaluationGames,
        seed: plan.evaluationSeed(ofSeed: trial.seedIndex), threads: threads,
        rules: configuration.rules, shouldStop: { [stop] in stop.isRequested }))
    return report.games == plan.evaluationGames ? result(of: trial, training, report) : nil
  }
}
