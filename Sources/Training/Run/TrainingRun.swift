import Arena
import Basics
import Checkpoints
import Configuration
import Foundation
import Logging
import ModelFiles
import NTupleNetwork
import Search
import SelfPlay
import TDLearning

/// A training run: a network, the workers that play on it, and the directory that keeps it all.
///
/// ``start(in:configuration:initialModel:)`` and ``resume(in:configuration:)`` prepare one;
/// ``train(logger:onReport:)`` carries it out. One thread uses a run; others watch and stop it
/// through its ``monitor``.
public final class TrainingRun {
  /// How a run ended without an error.
  public enum Outcome: Sendable {
    case finished, interrupted
  }

  /// Where the run lives.
  public let directory: RunDirectory
  /// What decides it.
  public let configuration: TrainingConfiguration
  /// The view of the run for other threads.
  public let monitor: RunMonitor

  /// The network that learns.
  let network: NTupleNetwork
  /// The average of its weights; nil if the run makes none.
  let average: WeightAverage?
  let team: SelfPlayTeam
  let segmentsBefore: [TrainingSegment]
  let stateAtStart: TrainingState
  private(set) var best: TrainingState.Best?
  /// Whether an evaluation was due when the run was stopped, or was stopped before its last game.
  private var isEvaluationPending: Bool

  private let lock: DirectoryLock
  private let startedAt = ContinuousClock.now
  private var trainingSecondsSinceReport: Double
  /// Seconds spent training, over all sessions.
  private var trainingSeconds: Double
  /// The last save, while it is on its way to the disk, and what was best before it.
  private var saving: (save: BackgroundSave, bestBefore: TrainingState.Best?)?
  /// Reports that could not be written yet.
  private var unwrittenReports = Data()

  /// The spawns of every evaluation during training, so that all of a run can be compared.
  private static let evaluationSeed: UInt64 = 2048

  private init(
    directory: RunDirectory, configuration: TrainingConfiguration, lock: DirectoryLock,
    network: NTupleNetwork, average: NTupleNetwork?, coherence: TemporalCoherence?,
    state: TrainingState, segmentsBefore: [TrainingSegment]
  ) {
    self.average =
      configuration.averagingEveryEpisodes == 0
      ? nil
      : WeightAverage(
        average ?? NTupleNetwork(network.shape), count: state.averaged,
        share: Float(configuration.averagingShare), window: configuration.averagingWindow)
    self.directory = directory
    self.configuration = configuration
    self.lock = lock
    self.network = network
    self.segmentsBefore = segmentsBefore
    stateAtStart = state
    best = state.best
    isEvaluationPending = state.isEvaluationPending ?? false && configuration.evaluates
    trainingSecondsSinceReport = state.trainingSecondsSinceReport
    trainingSeconds = state.secondsOfTraining
    let ledger = EpisodeLedger(
      from: EpisodeLedger.Snapshot(
        episodes: state.episodes, moves: state.moves, sinceReport: state.sinceReport))
    monitor = RunMonitor(
      ledger: ledger, length: configuration.length,
      trainedAtReport: state.secondsOfTraining - state.trainingSecondsSinceReport)
    team = SelfPlayTeam(
      network: network, coherence: coherence, configuration: configuration, ledger: ledger,
      states: state.workers, roundState: state.round)
  }

  // MARK: Preparing

  /// Makes the directory of a new run and its network.
  ///
  /// - Parameter initialModel: a weight file of any format to start from instead of zero weights.
  /// - Throws: ``LocatedError``; ``RunError/replacesWeights(of:key:)``. Nothing is left behind.
  public static func start(
    in directory: RunDirectory, configuration: TrainingConfiguration, initialModel: String? = nil
  ) throws -> TrainingRun {
    let shape = try configuration.networkShape()
    try requireResources(for: shape, configuration, at: directory.path)
    let network: NTupleNetwork
    var history: [TrainingSegment] = []
    if let initialModel {
      for (key, isSet) in [
        ("learning.initialValue", configuration.initialValue != 0),
        ("learning.inheritEveryEpisodes", configuration.inheritEveryEpisodes != 0),
      ] where isSet {
        throw RunError.replacesWeights(of: initialModel, key: key)
      }
      let model = try ModelFormat.readNetwork(initialModel)
      guard model.network.shape == shape else {
        throw LocatedError(
          .unsuitableData, path: initialModel,
          "the network \(text(model.network.shape)) is not that of the configuration, \(text(shape))",
          remedy:
            "use a configuration with the same network.patterns in the same order, and the same "
            + "stages and downgradeTile")
      }
      network = model.network
      history = model.metadata?.history ?? []
    } else {
      network = newNetwork(shape, configuration)
    }
    let isNew = !FileManager.default.fileExists(atPath: directory.path)
    try directory.checkpoints.prepare()
    let lock = try DirectoryLock(run: directory.path)
    // The name was free when it was chosen, which is not now.
    guard !directory.exists else {
      throw LocatedError(
        .locked, path: directory.path, "has just become a run of another process",
        remedy: "choose another --run")
    }
    let run = TrainingRun(
      directory: directory, configuration: configuration, lock: lock, network: network,
      average: nil, coherence: nil, state: TrainingState(), segmentsBefore: history)
    do {
      // Weights that came from elsewhere are the run's own from now on, whatever becomes of theirs.
      if initialModel != nil { _ = try run.prepareSave(isBest: false).commit() }
      // It makes the directory a run, which without its weights would begin anew from zero.
      try writeAtomically(Data(configuration.jsonText.utf8), to: directory.configurationPath)
    } catch {
      if isNew { try? FileManager.default.removeItem(atPath: directory.path) }
      throw error
    }
    return run
  }

  /// Prepares to go on with a run from its last saved state.
  ///
  /// A run that was stopped before it saved anything begins anew.
  ///
  /// - Throws: ``LocatedError`` if another process has the run, or if its files are damaged.
  public static func resume(
    in directory: RunDirectory, configuration: TrainingConfiguration
  ) throws -> TrainingRun {
    let lock = try DirectoryLock(run: directory.path)
    let checkpoints = directory.checkpoints
    try checkpoints.prepare()
    let shape = try configuration.networkShape()
    guard try checkpoints.stateHeader() != nil else {
      // A kill within the very first save leaves one weight file.
      guard try checkpoints.checkpoints().count <= 1, try checkpoints.best() == nil else {
        throw LocatedError(
          .missingInput, path: checkpoints.statePath,
          "does not exist, and the run has saved weights",
          remedy: "put it back, or start a new run from the weights with --init")
      }
      try requireResources(for: shape, configuration, at: directory.path)
      return try resumed(
        in: directory, configuration, lock, newNetwork(shape, configuration), nil, nil,
        TrainingState(), history: [])
    }
    // Here or there another number of threads, or less memory.
    try Memory.require(
      memoryUse(shape, configuration), for: "the network", path: directory.path)
    let saved = try checkpoints.resume()
    guard
      let state = try? JSONDecoder().decode(TrainingState.self, from: Data(saved.state.text.utf8)),
      state.isValid, state.episodes == saved.checkpoint.episodes
    else {
      throw LocatedError(
        .unsuitableData, path: checkpoints.statePath, place: "metadata key 'runState'",
        "does not hold the counters of a run",
        remedy: "start a new run from the newest weights with --init")
    }
    guard saved.network.shape == shape else {
      throw LocatedError(
        .unsuitableData, path: directory.configurationPath, place: "network",
        "\(text(shape)), but the checkpoint holds \(text(saved.network.shape))",
        remedy: "restore config.json as the run was started")
    }
    let coherence = saved.state.coherence(of: shape)
    guard coherence != nil || !configuration.usesCoherence else {
      throw LocatedError(
        .unsuitableData, path: checkpoints.statePath, place: "accumulators",
        "are missing, and learning.method needs them",
        remedy: "restore config.json as the run was started, or start a new run with --init")
    }
    guard
      configuration.mode == .asynchronous
        || state.round?.fits(configuration) ?? (state.episodes == 0)
    else {
      throw LocatedError(
        .unsuitableData, path: checkpoints.statePath, place: "metadata key 'runState'",
        "does not hold the \(configuration.lanes) lanes of synchronous learning",
        remedy: "restore config.json as the run was started, or start a new run with --init")
    }
    // A kill between a save and the record that it is best.
    if let best = state.best, best.episodes == saved.checkpoint.episodes {
      let recorded = try checkpoints.best()
      if recorded?.episodes != best.episodes || recorded?.meanScore != best.meanScore {
        try checkpoints.recordBest(saved.checkpoint, meanScore: best.meanScore)
      }
    }
    if state.isEvaluationPending != true, let key = configuration.length.reachedLimit(state) {
      throw key == "episodes"
        ? RunError.alreadyFinished(directory.path, episodes: state.episodes)
        : RunError.limitReached(directory.path, key: key)
    }
    guard (saved.state.learningWeights != nil) == (state.averaged > 0) else {
      throw LocatedError(
        .unsuitableData, path: checkpoints.statePath, place: "accumulators",
        "do not fit the average of \(state.averaged) networks that the run state counts",
        remedy: "put back the files of one save, or start a new run with --init")
    }
    return try resumed(
      in: directory, configuration, lock,
      saved.state.learningWeights.map { NTupleNetwork(shape, weights: $0) } ?? saved.network,
      state.averaged > 0 ? saved.network : nil, coherence, state, history: saved.metadata.history)
  }

  /// The network that a run starts from.
  private static func newNetwork(
    _ shape: NetworkShape, _ configuration: TrainingConfiguration
  ) -> NTupleNetwork {
    let network = NTupleNetwork(shape)
    if configuration.initialValue != 0 {
      network.setInitialValue(Float(configuration.initialValue))
    }
    return network
  }

  private static func resumed(
    in directory: RunDirectory, _ configuration: TrainingConfiguration, _ lock: DirectoryLock,
    _ network: NTupleNetwork, _ average: NTupleNetwork?, _ coherence: TemporalCoherence?,
    _ state: TrainingState, history: [TrainingSegment]
  ) throws -> TrainingRun {
    // What was reported after the state was saved is played, and reported, again.
    let lastReported = state.sinceReport.episodes > 0 ? state.episodes - 1 : state.episodes
    try MetricsFile(path: directory.metricsPath).truncate(after: lastReported)
    try writeAtomically(Data(configuration.jsonText.utf8), to: directory.configurationPath)
    return TrainingRun(
      directory: directory, configuration: configuration, lock: lock, network: network,
      average: average, coherence: coherence, state: state, segmentsBefore: history)
  }

  private static func text(_ shape: NetworkShape) -> String {
    var text = shape.patterns.map(\.description).joined(separator: " ")
    if shape.boardSize != 4 { text += " on \(shape.boardSize)x\(shape.boardSize)" }
    if shape.stages.count > 1 { text += " in \(shape.stages.count) stages" }
    if let exponent = shape.downgrading.exponent { text += " downgrading from \(1 << exponent)" }
    return text
  }

  // MARK: Training

  /// Plays and learns until the run ends, or ``RunMonitor/requestStop()`` is called.
  ///
  /// The state is saved in either case.
  ///
  /// - Parameters:
  ///   - pause: where to stop on the way, with a report; nothing is played if the run is past it.
  ///   - onReport: called with every report, on the calling thread.
  /// - Throws: ``LocatedError`` if the final state cannot be saved, or the error of writing the last
  ///   reports. A checkpoint on the way is put in place while the workers play on; one that cannot be is
  ///   logged, and tried again when the next is due, as a report is.
  public func train(
    logger: Logger, until pause: RunLength = RunLength(),
    onReport: (TrainingReport) throws -> Void
  ) throws -> Outcome {
    do {
      return try trainToEnd(logger, until: pause, onReport)
    } catch {
      try? monitor.enter(.failed)
      throw error
    }
  }

  private func trainToEnd(
    _ logger: Logger, until pause: RunLength, _ onReport: (TrainingReport) throws -> Void
  ) throws -> Outcome {
    let metrics = MetricsFile(path: directory.metricsPath)
    let events = try EventFile(directory: directory.path, now: .now)
    var schedule = RunSchedule(
      configuration, now: RunClock.now, sinceEvaluation: stateAtStart.secondsSinceEvaluation ?? 0)
    let end = configuration.length.cut(at: pause)
    defer { endSaving(logger) }

    while true {
      try monitor.enter(.training)
      let episodesBefore = monitor.ledger.snapshot.episodes
      if !hasReached(end), !isEvaluationPending { playToNextBarrier(schedule, end) }
      let episodes = monitor.ledger.snapshot.episodes
      let due = schedule.due(
        at: episodes, after: episodesBefore, share: share(of: configuration.length),
        now: RunClock.now)
      learnAtBarrier(due)
      let hasEnded = hasReached(configuration.length)
      let isPaused = hasReached(end) && !hasEnded

      var evaluation: TrainingReport.Evaluation?
      let bestBefore = best
      var isBest = false
      let mayGoOn = hasEnded || !isPaused && !monitor.ledger.isStopRequested
      if mayGoOn,
        due.evaluation || isEvaluationPending || hasEnded && configuration.evaluates
      {
        try monitor.enter(.evaluating)
        evaluation = evaluate()
        isEvaluationPending = evaluation == nil
        schedule.evaluated(at: RunClock.now)
        if let mean = evaluation?.meanScore {
          isBest = mean > best?.meanScore ?? -.infinity
          if isBest { best = TrainingState.Best(episodes: episodes, meanScore: mean) }
        }
      }
      // What a stop kept from being played is played first when the run goes on. A pause is no stop: who
      // asked for it evaluates.
      if due.evaluation, !mayGoOn, !isPaused,
        monitor.ledger.snapshot.sinceReport.episodes > 0
      {
        isEvaluationPending = true
      }
      let isFinished = hasEnded && !isEvaluationPending
      let isStopped = !isFinished && (isPaused || monitor.ledger.isStopRequested)
      // A run that was stopped at once has reported where it stands before, and one that was stopped
      // within an evaluation reports with it.
      let isReportDue =
        (due.report || isPaused) && monitor.ledger.snapshot.sinceReport.episodes > 0
        && !isEvaluationPending
      if isReportDue || evaluation != nil || isFinished {
        let report = makeReport(evaluation)
        try write(report, metrics, events, logger)
        try onReport(report)
      }
      if saving?.save.hasEnded == true { endSaving(logger) }
      if due.checkpoint || isBest || isFinished || isStopped {
        try monitor.enter(.checkpointing)
        endSaving(logger)
        do {
          let save = try prepareSave(
            isBest: isBest, sinceEvaluation: schedule.secondsSinceEvaluation(at: RunClock.now))
          if isFinished || isStopped {
            log(try save.commit(), logger)
          } else {
            saving = (BackgroundSave(save), bestBefore)
          }
        } catch let error where !isFinished && !isStopped {
          // Weights that are no numbers: no later save can do better.
          if (error as? LocatedError)?.kind == .unsuitableData { throw error }
          if isBest { best = bestBefore }
          logger.error("no checkpoint this time: \(error)")
        }
        schedule.saved(at: RunClock.now)
      }
      if isFinished || isStopped {
        // The state is safe now.
        if !unwrittenReports.isEmpty { try metrics.append(unwrittenReports) }
        try monitor.enter(isFinished ? .finished : .interrupted)
        return isFinished ? .finished : .interrupted
      }
    }
  }

  /// Lets the workers play until the next barrier, and waits for them all.
  private func playToNextBarrier(_ schedule: RunSchedule, _ end: RunLength) {
    countTraining {
      let deadline = end.seconds > 0 ? RunClock.now + .seconds(end.seconds - trainingSeconds) : nil
      team.play(
        until: schedule.nextBarrier(
          after: monitor.ledger.snapshot.episodes, of: end.episodes > 0 ? end.episodes : .max),
        deadline: [schedule.nextDeadline, deadline].compactMap(\.self).min(),
        moveLimit: end.moves > 0 ? end.moves : .max, secondsBefore: trainingSeconds)
    }
  }

  /// Does what learning needs all weights at rest for.
  private func learnAtBarrier(_ due: RunSchedule.Due) {
    countTraining {
      if due.inheritance, let coherence = team.coherence { network.inheritWeights(coherence) }
      if due.averaging { average?.add(network) }
    }
  }

  /// Carries out a part of training, and counts its time.
  private func countTraining(_ part: () -> Void) {
    monitor.beganTraining(after: trainingSecondsSinceReport)
    let began = RunClock.now
    part()
    let seconds = began.duration(to: RunClock.now).seconds
    trainingSecondsSinceReport += seconds
    trainingSeconds += seconds
    monitor.pausedTraining(after: trainingSecondsSinceReport)
  }

  private func share(of length: RunLength) -> Double {
    let snapshot = monitor.ledger.snapshot
    return length.share(
      episodes: snapshot.episodes, moves: snapshot.moves, seconds: trainingSeconds)
  }

  private func hasReached(_ length: RunLength) -> Bool { share(of: length) >= 1 }

  private func makeReport(_ evaluation: TrainingReport.Evaluation?) -> TrainingReport {
    let snapshot = monitor.ledger.snapshot
    let statistics = snapshot.sinceReport
    let seconds = trainingSecondsSinceReport
    monitor.ledger.beginReport()
    monitor.reported(statistics, seconds: seconds)
    trainingSecondsSinceReport = 0
    return TrainingReport(
      episodes: snapshot.episodes, moves: snapshot.moves, wallSeconds: wallSeconds,
      trainingSeconds: trainingSeconds,
      movesPerSecond: seconds > 0 ? Double(statistics.moves) / seconds : 0,
      games: statistics.games > 0 && statistics.games == statistics.episodes
        ? nil : statistics.games,
      meanScore: statistics.meanScore, maxScore: statistics.maxScore, reached: statistics.reached,
      learningRate: configuration.learningRate.value(
        at: configuration.length.share(
          episodes: max(0, snapshot.episodes - 1), moves: snapshot.moves, seconds: trainingSeconds)),
      evaluation: evaluation)
  }

  /// Writes a report, with those that could not be written before.
  private func write(
    _ report: TrainingReport, _ metrics: MetricsFile, _ events: EventFile, _ logger: Logger
  ) throws {
    unwrittenReports += Data(try TrainingReport.line(report).utf8)
    do {
      try metrics.append(unwrittenReports)
      unwrittenReports = Data()
      try events.append(report, now: .now)
    } catch {
      logger.error("no report this time: \(error)")
    }
  }

  /// The network that plays: the average, once there is one.
  private var player: NTupleNetwork {
    if let average, average.count > 0 { return average.network }
    return network
  }

  /// Plays greedily, without learning, on the run's fixed seeds.
  ///
  /// - Returns: nil if the run was asked to stop before the last game.
  private func evaluate() -> TrainingReport.Evaluation? {
    let network = player
    let rules = configuration.rules
    let contestant = Contestant(name: "learned") { _ in
      GreedyNetworkPlayer(network: network, rules: rules)
    }
    let report = ArenaReport(
      Arena.run(
        contestants: [contestant], games: configuration.evaluationGames,
        seed: TrainingRun.evaluationSeed, threads: configuration.threads, rules: rules,
        shouldStop: { [ledger = monitor.ledger] in ledger.isStopRequested }))
    guard report.games == configuration.evaluationGames else { return nil }
    return TrainingReport.Evaluation(games: report.games, score: report.players[0].score)
  }

  /// Seconds since the run began, over all its sessions.
  private var wallSeconds: Double {
    stateAtStart.wallSeconds + startedAt.duration(to: .now).seconds
  }

  // MARK: Saving

  /// Waits for the last save, and logs what became of it.
  private func endSaving(_ logger: Logger) {
    guard let (save, bestBefore) = saving else { return }
    saving = nil
    do {
      log(try save.wait(), logger)
    } catch {
      // Weights that were to be the best are lost, unless others have become that since.
      if save.episodes == best?.episodes { best = bestBefore }
      logger.error("no checkpoint this time: \(error)")
    }
  }

  private func log(_ saved: CheckpointDirectory.Saved, _ logger: Logger) {
    logger.info("saved \(saved.checkpoint.path) after \(saved.checkpoint.episodes) episodes")
    if let error = saved.pruningError { logger.warning("\(error)") }
  }

  /// Writes the weights and the state, for a commit to put them in place.
  private func prepareSave(
    isBest: Bool, sinceEvaluation: Double = 0
  ) throws -> CheckpointDirectory.Prepared {
    let snapshot = monitor.ledger.snapshot
    var state = TrainingState()
    state.episodes = snapshot.episodes
    state.moves = snapshot.moves
    state.wallSeconds = wallSeconds
    state.trainingSeconds = trainingSeconds
    state.trainingSecondsSinceReport = trainingSecondsSinceReport
    state.sinceReport = snapshot.sinceReport
    state.round = team.roundState
    state.workers = team.workerStates
    state.averaged = average?.count ?? 0
    state.best = best
    state.isEvaluationPending = isEvaluationPending ? true : nil
    state.secondsSinceEvaluation = configuration.evaluationEverySeconds > 0 ? sinceEvaluation : nil
    let segment = TrainingSegment(
      episodes: snapshot.episodes - stateAtStart.episodes,
      moves: snapshot.moves - stateAtStart.moves, seed: UInt64(configuration.seed),
      wallSeconds: wallSeconds - stateAtStart.wallSeconds, version: Version.current)
    let metadata = ModelMetadata(
      config: configuration.json.text, fourProbability: configuration.fourProbability,
      history: segmentsBefore + [segment],
      episodes: snapshot.episodes, moves: snapshot.moves, seed: UInt64(configuration.seed),
      version: Version.current)
    let text = String(decoding: try JSONEncoder().encode(state), as: UTF8.self)
    return try directory.checkpoints.prepareSave(
      player, metadata: metadata,
      state: RunState(
        text: text, coherence: team.coherence,
        learning: state.averaged > 0 ? network.weights : nil),
      keep: configuration.checkpointKeep, bestMeanScore: isBest ? best?.meanScore : nil)
  }
}
