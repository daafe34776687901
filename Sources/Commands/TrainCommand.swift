import ArgumentParser
import Basics
import Foundation
import Logging
import Play
import Synchronization
import Training

struct TrainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "train",
    abstract: "Train a network by self-play.",
    discussion: """
      Every new run gets a directory under Models/. Ctrl-C, SIGTERM and SIGHUP save the state and end the \
      run; --resume continues it, even after a crash. SIGUSR1 saves a checkpoint, and the run continues.

        learn2048 train --config ntuple --episodes 1e6
        learn2048 train --resume ntuple
      """)

  @Option(
    "file",
    "Read the configuration from this JSON file, or from the one of this name in Configs/, such as ntuple."
  )
  var config: String?

  @Option(
    "n",
    "Stop after this many episodes in total, such as 1e6 (default: as the configuration says).",
    read: positiveCount)
  var episodes: Int?

  @Option(
    "minutes",
    "Stop after this many minutes of training (with --episodes: whichever comes first).",
    // `limit.seconds` can hold 30 years.
    read: number("Use a number above 0 and at most 16000000.") { $0 > 0 && $0 <= 16_000_000 })
  var minutes: Double?

  @Option(
    name: .customLong("run"), "dir",
    "Create the run with this name under Models/, or at this path (default: the next free name).")
  var runName: String?

  @Option(
    "n", "Number of worker threads, 1 to 1024 (default: one per core).", read: threadCount)
  var threads: Int?

  @Option("n", "Seed of all spawns (default: 1).", read: count)
  var seed: Int?

  @Option(
    name: .customLong("set"), "key=value",
    repeatable: "Set a configuration key, such as learning.learningRate=0.05. Repeatable.")
  var settings: [String]

  @Option("run", "Resume this run: its name under Models/, or its directory.")
  var resume: String?

  @Flag(
    help: """
      With --resume: accept a config.json that was edited, even if learning depends on the changed keys.
      """)
  var acceptConfig = false

  @Option(
    name: .customLong("init"), "model", "Start a new run from the weights of this model.")
  var initialModel: String?

  @Flag(
    help: """
      Print the resolved configuration, the memory, the disk space and, after a few seconds of play, the \
      expected time; train nothing.
      """)
  var dryRun = false

  @OptionGroup var output: OutputOptions

  func validate() throws {
    if resume == nil && config == nil {
      throw ValidationError(
        "no configuration is given. Name one with --config, such as ntuple, or a run with "
          + "--resume.")
    }
    if resume != nil,
      let option = firstGiven([
        "--config": config, "--run": runName, "--init": initialModel, "--seed": seed,
        "--dry-run": dryRun ? true : nil,
      ])
    {
      throw ValidationError("--resume continues a run as it was started. Leave out \(option).")
    }
    if acceptConfig, resume == nil {
      throw ValidationError("--accept-config has no effect without --resume. Leave it out.")
    }
  }

  func run() throws {
    try requireThreads()
    if dryRun {
      try Job.requireSole("train --dry-run")
      return try showEstimate()
    }
    let ranks = try Job.join()
    if ranks.isLeader {
      // The run is released, so the other ranks no longer wait for its orders.
      let outcome = try train(resume.map { try resumedRun($0, ranks) } ?? newRun(ranks))
      if let signal = Job.end(ranks, isCut: outcome == .interrupted) {
        throw Failure(signal: signal)
      }
    } else {
      try follow(ranks)
    }
  }

  /// Returns the path of the configuration file, and the configuration of a new run.
  private func newConfiguration() throws -> (path: String, TrainingConfiguration) {
    let path = try configsPath(config ?? "", kind: "configuration", in: "Configs")
    let data = try TextFile.read(path)
    var defaults = TrainingConfiguration()
    defaults.threads = coreCount
    var reader = ConfigurationReader(base: defaults)
    reader.read(data, name: path)
    return (path, try settled(reader))
  }

  private func showEstimate() throws {
    let (_, configuration) = try newConfiguration()
    let plan = RunPlan(configuration: configuration, estimate: try RunEstimate(configuration))
    try output.show(plan, text: plan.description(configuration.jsonText + "\n"))
  }

  private func newRun(_ ranks: any Communicator) throws -> TrainingRun {
    let (path, configuration) = try newConfiguration()
    let name = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
    try ModelLocator.requireOwnMeaning(runName ?? name)
    let initialModel = try initialModel.map(ModelLocator.find)
    if let runName {
      let directory = RunDirectory(path: ModelLocator.path(named: runName))
      try requireFree(directory.path, canBeResumed: directory.exists)
      return try TrainingRun.start(
        in: directory, configuration: configuration, initialModel: initialModel, ranks: ranks)
    }
    while true {
      do {
        return try TrainingRun.start(
          in: RunDirectory.nextFree(in: ModelLocator.models, base: name),
          configuration: configuration, initialModel: initialModel, ranks: ranks)
      } catch let error as LocatedError where error.kind == .locked {
        // Another process has taken the name, so the next one is tried.
      }
    }
  }

  private func resumedRun(_ name: String, _ ranks: any Communicator) throws -> TrainingRun {
    let directory = RunDirectory(path: try ModelLocator.runDirectory(name))
    let configuration = try settled(
      ConfigurationReader(base: try directory.configuration(), isResuming: true))
    return try TrainingRun.resume(
      in: directory, configuration: configuration, acceptsChanges: acceptConfig, ranks: ranks)
  }

  /// Returns the configuration with the options of the command line, which override the file.
  private func settled(_ reader: ConfigurationReader) throws -> TrainingConfiguration {
    var reader = reader
    // Options of the run's length replace every limit of the file.
    if episodes != nil || minutes != nil { reader.clearLength() }
    if let minutes {
      reader.set("limit.seconds", to: .number(60 * minutes), option: "--minutes")
    }
    for setting in settings { reader.set(setting) }
    let options = [
      ("episodes", "--episodes", episodes), ("threads", "--threads", threads),
      ("seed", "--seed", seed),
    ]
    for (key, option, value) in options {
      if let value { reader.set(key, to: .integer(value), option: option) }
    }
    return try reader.finished()
  }

  /// Trains to the end, or until a signal arrives.
  private func train(_ run: TrainingRun) throws -> TrainingRun.Outcome {
    let (monitor, path) = (run.monitor, run.directory.path)
    let log = LogFile(path: run.directory.logPath) {
      StandardError.shared.line("learn2048: warning: \($0)")
    }
    let logger = Logger(label: "learn2048") { _ in MultiplexLogHandler([ConsoleLog(), log]) }
    announce(run, logger)
    let reports = Mutex(run.directory.reports)
    let outcome = try supervise(
      interval: 10, isPlain: output.json,
      progress: { size in
        let progress = monitor.progress
        return size.map { progress.panel(reports.withLock(\.self)).lines(on: $0) } ?? [
          progress.text
        ]
      },
      requestStop: { monitor.requestStop() },
      requestSave: {
        logger.info("saving a checkpoint, as a signal asks; training continues")
        monitor.requestSave()
      }
    ) {
      try run.train(logger: logger, evaluate: GreedyEvaluation.play) { report in
        reports.withLock { $0.append(report) }
        if output.json { StandardOutput.write(try report.jsonLine()) }
        if let evaluation = report.evaluation {
          logger.info(
            """
            after \(NumberText.count(report.episodes, "episode")): greedy mean score \
            \(evaluation.text) over \(NumberText.count(evaluation.games, "game"))
            """)
        }
      }
    }
    StandardError.shared.line(monitor.progress.text)
    switch outcome {
    case .finished:
      logger.info("finished: \(path); evaluate it with: learn2048 evaluate \(shellWord(path))")
    case .interrupted:
      logger.info("interrupted; resume with: learn2048 train --resume \(shellWord(path))")
    }
    return outcome
  }

  /// Trains as a rank other than 0, until the run of rank 0 ends. A signal stops the run.
  private func follow(_ ranks: any Communicator) throws {
    try followQuietly(ranks) { stop in
      try SelfPlayTeam.follow(ranks) { ledger in stop.pass { ledger.requestStop() } }
    }
  }

  private func announce(_ run: TrainingRun, _ logger: Logger) {
    let configuration = run.configuration
    let began = run.monitor.progress.episodes
    let verb = began > 0 ? "resuming" : "training"
    logger.info(
      """
      \(verb) \(run.directory.path): \(configuration.length.text)\
      \(began > 0 ? ", \(NumberText.count(began, "episode")) done" : ""), \
      \(configuration.patterns.joined(separator: " ")), \(configuration.methodText), \
      \(NumberText.count(configuration.threads, "thread")), \
      seed \(configuration.seed)
      """)
    logger.info("\(run.resources)")
  }
}

/// The document of `train --dry-run --json`.
struct RunPlan: Document {
  let configuration: TrainingConfiguration
  let estimate: RunEstimate

  static let fields: [Field<RunPlan>] = [
    Field("configuration", \.configuration.json, "The resolved configuration."),
    Field("memoryBytes", \.estimate.memory, unit: "bytes", "The memory that the run takes.")
      .column("memory") { byteText($0.estimate.memory) },
    Field("diskBytes", \.estimate.disk, unit: "bytes", "The largest disk space of its checkpoints.")
      .column("disk") { "\(byteText($0.estimate.disk)), while a checkpoint is saved" },
    Field(
      "movesPerSecond", \.estimate.movesPerSecond, unit: "moves/s", "The speed at the beginning."
    )
    .column("speed") {
      "\(NumberText.rate($0.estimate.movesPerSecond)) moves/s at the beginning"
    },
    Field(
      "seconds", { [$0.estimate.seconds.lowerBound, $0.estimate.seconds.upperBound] }, unit: "s",
      "The range of the expected training time."
    )
    .column("time") { "\($0.timeText) for \($0.configuration.length.text)" },
  ]
}

extension RunPlan {
  fileprivate var timeText: String {
    let ends = [estimate.seconds.lowerBound, estimate.seconds.upperBound].map(NumberText.duration)
    return ends[0] == ends[1] ? ends[0] : "\(ends[0]) to \(ends[1])"
  }
}

private struct ConsoleLog: LogHandler {
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.info

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let prefix = event.level >= .warning ? "learn2048: \(event.level): " : ""
    StandardError.shared.line(ConsoleLog.broken("\(prefix)\(event.message)"))
  }

  /// Returns a message in lines of whole words, such as patterns. A command stays in one line, to be copied.
  private static func broken(_ text: String) -> String {
    guard StandardError.shared.isTerminal, !text.contains("learn2048 ") else { return text }
    let words = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    return wrapped(items: words, width: TerminalSize.current.columns - 1, separator: " ")
      .joined(separator: "\n")
  }
}
