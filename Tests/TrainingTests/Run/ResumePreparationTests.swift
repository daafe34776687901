import Foundation
import Logging
import Play
import TestSupport
import Testing

@testable import Basics
@testable import ModelFiles
@testable import Training

/// What a resumed run checks before it plays.
@Suite struct ResumePreparationTests {
  private let root: TemporaryDirectory
  private let run: RunDirectory
  private var settings: TrainingConfiguration

  init() throws {
    root = try TemporaryDirectory()
    run = RunDirectory(path: root.file("run"))
    settings = TrainingConfiguration()
    settings.patterns = ["012", "456"]
    settings.episodes = 100
    settings.reportEveryEpisodes = 50
    settings.checkpointKeep = 1
  }

  private func resume(
    _ configuration: TrainingConfiguration, acceptsChanges: Bool = false
  ) throws -> TrainingRun {
    try TrainingRun.resume(
      in: run, configuration: configuration, acceptsChanges: acceptsChanges)
  }

  @discardableResult
  private func train(_ training: TrainingRun) throws -> [String] {
    let log = RecordedLog()
    let logger = Logger(label: "test") { _ in
      MultiplexLogHandler([log, LogFile(path: run.logPath)])
    }
    _ = try training.train(logger: logger, evaluate: GreedyEvaluation.play) { _ in }
    return log.messages.withLock(\.self)
  }

  private func trainNew() throws {
    try train(TrainingRun.start(in: run, configuration: settings))
  }

  /// The configuration for another hundred episodes.
  private var longer: TrainingConfiguration {
    var longer = settings
    longer.episodes = 200
    return longer
  }

  private func metrics() throws -> String {
    try String(contentsOfFile: run.metricsPath, encoding: .utf8)
  }

  @Test func theTextOfASavedStateHasSortedKeys() throws {
    try trainNew()
    let text = try #require(try run.checkpoints.stateHeader()).text
    #expect(try text == JSONEncoder.text(RunState(text: text)))
  }

  @Test func aStateThatCannotBeEncodedIsNotReportedAsDivergence() throws {
    var settings = settings
    settings.evaluationEverySeconds = 1
    let training = try TrainingRun.start(in: run, configuration: settings)
    #expect(throws: EncodingError.self) {
      _ = try training.prepareSave(training.savedWeights, sinceEvaluation: .infinity)
    }
    _ = try training.prepareSave(training.savedWeights, sinceEvaluation: 1)
  }

  // Promise: Learning never changes silently
  @Test func aChangedConfigurationIsRefusedOrAccepted() throws {
    try trainNew()
    var changed = longer
    changed.batchSize = 255
    changed.seed = 2
    let error = #expect(throws: ConfigurationError.self) { try resume(changed) }
    let problems = try #require(error?.problems)
    #expect(problems.count == 2)
    for (problem, text) in zip(problems, ["seed is 2", "learning.batchSize is 255"]) {
      #expect(problem.hasPrefix("\(run.configurationPath): \(text), but the checkpoint was"))
    }
    #expect(problems[1].contains("trained with 256.") && problems[1].contains("--accept-config"))
    // Another network has no use for the weights.
    var reshaped = longer
    reshaped.patterns = ["0123", "4567"]
    let shapeError = #expect(throws: ConfigurationError.self) { try resume(reshaped) }
    #expect(shapeError?.problems.count == 1)
    #expect(shapeError?.problems[0].contains("start a new run") == true)
    #expect(shapeError?.problems[0].contains("--accept-config") == false)
    let messages = try train(resume(changed, acceptsChanges: true))
    #expect(
      messages.contains {
        $0 == "learning.batchSize has changed since the last checkpoint: 256 → 255"
      })
    // From now on these are the values of the run.
    changed.episodes = 300
    let later = try train(resume(changed))
    #expect(later.filter { $0.contains("has changed") }.map { $0.prefix(8) } == ["episodes"])
  }

  @Test func aLostStateIsNotANewRun() throws {
    try trainNew()
    let before = try metrics()
    #expect(try run.checkpoints.checkpoints().count == 1)
    try FileManager.default.removeItem(atPath: run.checkpoints.statePath)
    let error = #expect(throws: LocatedError.self) { try resume(longer) }
    #expect(error?.kind == .missingInput && error?.path == run.checkpoints.statePath)
    // Nor are lost weights, which the log shows.
    try FileManager.default.removeItem(atPath: run.checkpoints.path)
    let other = #expect(throws: LocatedError.self) { try resume(longer) }
    #expect(other?.kind == .missingInput && other?.problem.contains("log.txt") == true)
    #expect(try metrics() == before)
  }

  @Test func aLogThatNoRunWritesSaysNothing() throws {
    try FileManager.default.createDirectory(
      atPath: run.path, withIntermediateDirectories: false)
    let line = Array("2026-01-01T00:00:00Z info saved x after 1 episodes\n".utf8)
    try root.write(line, "run/log.1.txt")
    #expect(run.hasLoggedSave)
    let padding = [UInt8](repeating: 0x20, count: 2 * LogFile.sizeLimit - line.count)
    try root.write(line + padding, "run/log.1.txt")
    #expect(run.hasLoggedSave)
    try root.write(line + padding + [0x0A], "run/log.1.txt")
    #expect(!run.hasLoggedSave)
    // Opening a pipe would wait for a writer.
    try FileManager.default.removeItem(atPath: root.file("run/log.1.txt"))
    try #require(mkfifo(run.logPath, 0o600) == 0)
    #expect(!run.hasLoggedSave)
  }

  @Test func aKillWithinTheFirstSaveLosesNothing() throws {
    try trainNew()
    try FileManager.default.moveItem(
      atPath: run.checkpoints.statePath, toPath: run.checkpoints.file(".state.safetensors.tmp-1-1"))
    let training = try resume(longer)
    #expect(training.monitor.progress.episodes == 100)
  }

  // Promise: Learning never changes silently
  @Test func damagedReportsAreKeptAndCounted() throws {
    try trainNew()
    let lines = try metrics().split(separator: "\n")
    let damaged = lines[0].dropLast(5)
    try root.write("\(damaged)\n\(lines[1])\n?\n".utf8, "run/metrics.jsonl")
    let messages = try train(resume(longer))
    #expect(
      messages.first
        == "\(run.metricsPath): 2 damaged lines moved to \(root.file("run/metrics.damaged.jsonl"))."
    )
    #expect(
      String(decoding: try root.bytes("run/metrics.damaged.jsonl"), as: UTF8.self)
        == "\(damaged)\n?\n")
    #expect(run.reports.map(\.episodes) == [100, 150, 200])
  }

  // Promise: A run is never lost
  @Test func leftoversOfWritesAreRemoved() throws {
    try trainNew()
    let names = root.names
    let leftovers = [".dat.nosync12ab.xYz", ".config.json.tmp-1-1", "checkpoints/.x.tmp-1-1"]
    for name in leftovers { try root.write([1], "run/\(name)") }
    _ = try resume(longer)
    for name in leftovers {
      #expect(!FileManager.default.fileExists(atPath: root.file("run/\(name)")))
    }
    #expect(root.names == names)
  }

  @Test func aDirectoryThatCannotBeWrittenIsNoticedBeforeTraining() throws {
    var operations = FileOperations()
    let normal = operations.open
    operations.open = { path, flags in
      guard path.contains("/checkpoints/") else { return normal(path, flags) }
      errno = EACCES
      return -1
    }
    FileOperations.$current.withValue(operations) {
      let error = #expect(throws: LocatedError.self) {
        try TrainingRun.start(in: run, configuration: settings)
      }
      #expect(error?.kind == .cannotCreate)
    }
    #expect(root.names.isEmpty, "nothing is left of the new run")
    try trainNew()
    let files = root.names
    FileOperations.$current.withValue(operations) {
      let error = #expect(throws: LocatedError.self) { try resume(longer) }
      #expect(error?.kind == .cannotCreate)
    }
    #expect(root.names == files)
    // A file in place of the directory.
    try FileManager.default.moveItem(atPath: run.checkpoints.path, toPath: root.file("kept"))
    try root.write([1], "run/checkpoints")
    let error = #expect(throws: LocatedError.self) { try resume(longer) }
    #expect(error?.kind == .cannotCreate && error?.path == run.checkpoints.path)
  }

  @Test func aSessionAddsNoFile() throws {
    try trainNew()
    func names() -> [String] {
      ((try? FileManager.default.contentsOfDirectory(atPath: run.path)) ?? []).sorted()
    }
    let before = names()
    try train(resume(longer))
    #expect(names() == before)
    #expect(before.count { $0.hasPrefix("events.") } == 1)
  }
}
