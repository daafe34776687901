import Arena
import Basics
import Checkpoints
import Configuration
import Foundation
import Logging
import ModelFiles
import Players
import Search
import Synchronization
import Training

/// The execution of a plan, trial by trial, in a directory from which a stopped or killed sweep can resume.
///
/// A trial is a separate ``TrainingRun``, followed by games with its last weights. Trials run seed by seed
/// through all variants, so that a machine with varying speed treats variants equally. With rungs, all
/// variants train to the first rung, and the best by mean score continue as the same runs to the next.
///
/// Thread safety: one thread runs a sweep; any thread may call ``requestStop``.
///
/// Source: successive halving, Jamieson and Talwalkar, "Non-stochastic best arm identification and
/// hyperparameter optimization", 2016.
package final class Sweep {
  /// The way in which a sweep ended without an error.
  package enum Outcome: Sendable {
    case finished, interrupted
  }

  /// A step of a sweep.
  package enum Event {
    /// A trial starts training; `number` counts from 1 to `total`.
    case training(variant: String, seed: Int, number: Int, total: Int, RunMonitor)
    /// The evaluation of a trial starts.
    case evaluating(variant: String, seed: Int, number: Int, total: Int)
    /// A trial is finished.
    case done(TrialResult, number: Int, total: Int)
    /// The variants that continue, best first, and those that are dropped.
    case selected(kept: [String], dropped: [String])
  }

  package let directory: SweepDirectory
  package let plan: SweepPlan
  private let threads: Int
  private let lock: DirectoryLock
  private let stop = StopRequest()
  private var results: [TrialResult]

  /// Creates the directory of a new sweep.
  ///
  /// - Parameter threads: the number of threads of evaluations; training uses that of its configuration.
  /// - Throws: ``LocatedError``. Nothing is left behind.
  package static func start(
    _ plan: SweepPlan, in directory: SweepDirectory, threads: Int
  ) throws -> Sweep {
    try fillNewDirectory(at: directory.path) { lock in
      guard !directory.exists else {
        throw LocatedError(
          .locked, path: directory.path, "another process has just started a sweep here",
          remedy: "choose another --run")
      }
      try writeAtomically(plan.json.indentedText.utf8, to: directory.planPath)
      return Sweep(plan, directory, threads, lock, results: [])
    }
  }

  /// Opens a sweep to resume it.
  ///
  /// - Throws: ``LocatedError`` if another process uses it, or its results are damaged; ``ConfigurationError``
  ///   if its plan is damaged.
  package static func resume(in directory: SweepDirectory, threads: Int) throws -> Sweep {
    let lock = try DirectoryLock(run: directory.path)
    return Sweep(
      try directory.plan(), directory, threads, lock, results: try directory.results())
  }

  private init(
    _ plan: SweepPlan, _ directory: SweepDirectory, _ threads: Int, _ lock: DirectoryLock,
    results: [TrialResult]
  ) {
    self.plan = plan
    self.directory = directory
    self.threads = threads
    self.lock = lock
    self.results = results
  }

  /// The results so far.
  package var report: SweepReport { SweepReport(plan, results) }

  /// A closure that asks the sweep, from any thread, to save the current trial and end.
  package var requestStop: @Sendable () -> Void { { [stop] in stop.request() } }

  // MARK: Running

  /// Runs the remaining trials.
  ///
  /// - Parameter onEvent: called on the calling thread.
  /// - Throws: ``LocatedError`` if a run or a result cannot be saved, or is damaged.
  package func run(onEvent: (Event) -> Void) throws -> Outcome {
    // The process may have been killed between the result of a trial and the files that follow from it.
    if !results.isEmpty { try directory.write(results, report) }
    let total = zip(plan.variantCounts, plan.budgets).reduce(0) { $0 + $1.0 } * plan.seeds.count
    var number = 0
    var survivors = Array(plan.variants.indices)
    for rung in plan.budgets.indices {
      for (seedIndex, seed) in plan.seeds.enumerated() {
        for variant in survivors {
          number += 1
          let name = plan.variants[variant].name
          let isDone = results.contains {
            $0.variant == name && $0.seed == seed && $0.rung == rung
          }
          if !isDone {
            let trial = Trial(
              variant: variant, seedIndex: seedIndex, rung: rung, number: number, total: total)
            guard let result = try carryOut(trial, onEvent) else { return .interrupted }
            results.append(result)
            try directory.write(results, report)
            onEvent(.done(result, number: number, total: total))
          }
          if rung == plan.budgets.count - 1 { try discardWeights(of: variant, seed) }
        }
      }
      if rung < plan.rungs.count {
        survivors = try select(from: survivors, at: rung, onEvent)
      }
    }
    return .finished
  }

  private struct Trial {
    let variant: Int
    let seedIndex: Int
    let rung: Int
    let number: Int
    let total: Int
  }

  /// Trains and evaluates a trial; returns nil if it was stopped.
  private func carryOut(_ trial: Trial, _ onEvent: (Event) -> Void) throws -> TrialResult? {
    let variant = plan.variants[trial.variant]
    let seed = plan.seeds[trial.seedIndex]
    let configuration = plan.configuration(of: variant, seed: seed)
    let runDirectory = directory.run(ofVariant: trial.variant, of: plan, seed: seed)
    do {
      let run =
        runDirectory.exists
        ? try TrainingRun.resume(in: runDirectory, configuration: configuration)
        : try TrainingRun.start(in: runDirectory, configuration: configuration)
      onEvent(
        .training(
          variant: variant.name, seed: seed, number: trial.number, total: trial.total, run.monitor))
      stop.watch(run.monitor)
      defer { stop.watch(nil) }
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

  /// Returns the variants that continue after a rung, in the plan's order.
  private func select(
    from survivors: [Int], at rung: Int, _ onEvent: (Event) -> Void
  ) throws -> [Int] {
    let means = Dictionary(
      uniqueKeysWithValues: report.rows.filter { $0.rung == rung }.map { ($0.variant, $0.mean) })
    // Of equal variants, those that the plan names first.
    let ranked = survivors.sorted { a, b in
      let (first, second) = (means[plan.variants[a].name]!, means[plan.variants[b].name]!)
      return first == second ? a < b : first > second
    }
    let kept = ranked.prefix(SweepPlan.kept(plan.rungs[rung].keep, of: survivors.count))
    let dropped = ranked.dropFirst(kept.count)
    onEvent(
      .selected(
        kept: kept.map { plan.variants[$0].name }, dropped: dropped.map { plan.variants[$0].name }))
    for variant in dropped {
      for seed in plan.seeds { try discardWeights(of: variant, seed) }
    }
    return kept.sorted()
  }

  /// Removes the checkpoints of a finished run, unless the plan keeps them.
  private func discardWeights(of variant: Int, _ seed: Int) throws {
    guard !plan.keepsWeights else { return }
    let path = directory.run(ofVariant: variant, of: plan, seed: seed).checkpoints.path
    if FileManager.default.fileExists(atPath: path) {
      try FileManager.default.removeItem(atPath: path)
    }
  }
}

/// A request to stop the run that is being trained.
private final class StopRequest: Sendable {
  private struct State {
    var isRequested = false
    var monitor: RunMonitor?
  }

  private let state = Mutex(State())

  var isRequested: Bool { state.withLock { $0.isRequested } }

  func request() {
    state.withLock {
      $0.isRequested = true
      $0.monitor?.requestStop()
    }
  }

  /// Passes requests on to a run, including an earlier one.
  func watch(_ monitor: RunMonitor?) {
    state.withLock {
      $0.monitor = monitor
      if $0.isRequested { monitor?.requestStop() }
    }
  }
}
