import Arena
import Basics
import Checkpoints
import Configuration
import Foundation
import Logging
import ModelFiles
import Players
import Search
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
  /// - Throws: ``LocatedError`` if its run cannot be saved, or is damaged.
  func carryOut(_ trial: Trial, _ onEvent: (Sweep.Event) -> Void) throws -> TrialResult? {
    let variant = plan.variants[trial.variant]
    let seed = plan.seeds[trial.seedIndex]
    let configuration = plan.configuration(of: variant, seed: seed)
    let runDirectory = run(of: trial)
    do {
      let run =
        runDirectory.exists
        ? try TrainingRun.resume(in: runDirectory, configuration: configuration)
        : try TrainingRun.start(in: runDirectory, configuration: configuration)
      onEvent(
        .training(
          variant: variant.name, seed: seed, number: trial.number, total: trial.total, run.monitor))
      stop.pass { [monitor = run.monitor] in monitor.requestStop() }
      defer { stop.pass(to: nil) }
      let logger = Logger(label: "learn2048") { _ in LogFile(path: runDirectory.logPath) }
      _ = try run.train(
        logger: logger, until: plan.budgets[trial.rung].length, evaluate: GreedyEvaluation.play,
        onReport: { _ in })
      if stop.isRequested { return nil }
    } catch let error as LocatedError where error.kind == .usage {
      // The process was killed between the end of the training and that of the evaluation.
    }
    onEvent(
      .evaluating(
        variant: variant.name, seed: seed, number: trial.number, total: trial.total))
    return try evaluate(trial, runDirectory, configuration)
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
    let network = try WeightFile.read(run.checkpoints.checkpoint(.latest).path).network
    let rules = configuration.rules
    let name = plan.variants[trial.variant].name
    let search = SearchSettings(depth: .plies(plan.evaluationDepth))
    let player = PlayerSpecification.learned(model: nil, search: search)
    let contestant = Contestant(
      name: name, makePlayer: try player.makeFactory(rules: rules) { _ in network })
    let seed = plan.evaluationSeed(ofSeed: trial.seedIndex)
    let report = ArenaReport(
      Arena.run(
        contestants: [contestant], games: plan.evaluationGames, seed: seed, threads: threads,
        rules: rules, shouldStop: { [stop] in stop.isRequested }))
    guard report.games == plan.evaluationGames else { return nil }
    return TrialResult(
      variant: name, seed: plan.seeds[trial.seedIndex], rung: trial.rung,
      episodes: training.episodes, moves: training.moves, seconds: training.seconds,
      games: report.games,
      evaluationSeed: seed, score: report.players[0].score, reached: report.players[0].reached)
  }
}
