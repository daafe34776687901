import Foundation
import Logging
import ModelFiles
import NTupleNetwork
import Synchronization
import TestSupport
import Testing

@testable import Basics
@testable import Training

@Suite struct RunWriterTests {
  private let root: TemporaryDirectory
  private let directory: RunDirectory
  private let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

  init() throws {
    root = try TemporaryDirectory()
    directory = RunDirectory(path: root.file("run"))
    try directory.checkpoints.prepare()
  }

  private func writer(best: Double? = nil, logger: Logger? = nil) -> RunWriter {
    let best = best.map {
      BestCheckpoint(file: "first", checksum: "1", episodes: 1, meanScore: $0)
    }
    return RunWriter(
      directory, TrainingConfiguration(), from: RunState(best: best), logger: logger ?? silent)
  }

  private func evaluation(_ meanScore: Double) -> TrainingReport.Evaluation {
    TrainingReport.Evaluation(games: 1, meanScore: meanScore, ci95: meanScore...meanScore)
  }

  private func prepareSave(
    _ episodes: Int, _ bestMeanScore: Double? = nil, keep: Int = 9,
    formerBest: BestCheckpoint? = nil
  ) throws -> CheckpointDirectory.Prepared {
    try directory.checkpoints.prepareSave(
      numberedNetwork(shape("f"), from: episodes),
      metadata: ModelMetadata(episodes: episodes, version: "1"),
      state: { _ in SavedState(text: "{}") },
      keep: keep, bestMeanScore: bestMeanScore, formerBest: formerBest)
  }

  // Promise: A run is never lost
  @Test(arguments: [false, true])
  func reportsAreOnTheDiskBeforeTheirCheckpoint(isLast: Bool) throws {
    let files = FaultyFiles()
    try FileOperations.$current.withValue(files.operations) {
      let writer = writer()
      try MetricsFile(path: directory.metricsPath).append(Data("1\n".utf8))
      try writer.save(isLast: isLast) { try prepareSave(20, formerBest: $0) }
      writer.finishSave()
    }
    let reports = try #require(files.calls.firstIndex(of: "flush metrics.jsonl 1"))
    let names = try #require(files.calls.firstIndex(of: "flush directory run 1"))
    let state = try #require(files.calls.firstIndex(of: "rename state.safetensors 1"))
    #expect(reports < state && names < state)
  }

  @Test(arguments: [false, true])
  func reportsThatCouldNotBeWrittenAreOnTheDiskBeforeTheNextCheckpoint(isLast: Bool) throws {
    let files = FaultyFiles(failing: "open metrics.jsonl 1")
    try FileOperations.$current.withValue(files.operations) {
      let writer = writer()
      try writer.write(report(10))
      #expect(files.didFail && directory.reports.isEmpty)
      try writer.save(isLast: isLast) { try prepareSave(10, formerBest: $0) }
      writer.finishSave()
    }
    #expect(directory.reports.map(\.episodes) == [10])
    let reports = try #require(files.calls.firstIndex(of: "flush metrics.jsonl 1"))
    let state = try #require(files.calls.firstIndex(of: "rename state.safetensors 1"))
    #expect(reports < state)
  }

  @Test func theBestIsSavedAndRecorded() throws {
    let writer = writer(best: 50)
    #expect(!writer.isBest(evaluation(40)) && !writer.isBest(evaluation(50)))
    #expect(writer.isBest(evaluation(60)))
    try writer.save(isLast: false) { former in
      #expect(former?.meanScore == 50 && former == writer.best)
      return try prepareSave(20, 60, formerBest: former)
    }
    // A checkpoint counts while it is being saved.
    #expect(writer.best?.episodes == 20 && writer.best?.meanScore == 60)
    #expect(!writer.isBest(evaluation(55)))
    try writer.save(isLast: true) { former in
      #expect(former?.episodes == 20)
      return try prepareSave(30, formerBest: former)
    }
    #expect(writer.best?.episodes == 20)
    #expect(try directory.checkpoints.best()?.episodes == 20)
    #expect(try directory.checkpoints.best()?.meanScore == 60)
    #expect(try directory.checkpoints.checkpoints().map(\.episodes) == [20, 30])
  }

  private static let full = LocatedError(
    .inputOutput, path: "disk", "is full", remedy: "free some space")

  @Test("weights that could not be saved are not the best", arguments: [false, true])
  func failedSave(inBackground: Bool) throws {
    let writer = writer(best: 50)
    #expect(writer.isBest(evaluation(90)))
    try writer.save(isLast: false) { former in
      guard inBackground else { throw RunWriterTests.full }
      let prepared = try prepareSave(10, 90, formerBest: former)
      try FileManager.default.removeItem(atPath: directory.checkpoints.path)
      return prepared
    }
    writer.finishSave()
    #expect(writer.best?.episodes == 1 && writer.best?.meanScore == 50)
    // A lower score than that of the lost weights is now the best.
    try directory.checkpoints.prepare()
    #expect(writer.isBest(evaluation(70)))
    try writer.save(isLast: true) { try prepareSave(20, 70, formerBest: $0) }
    #expect(try directory.checkpoints.best()?.meanScore == 70)
  }

  @Test func aSaveThatFailsAfterABetterOneLeavesThat() throws {
    let writer = writer()
    for (mean, episodes) in [(60.0, 10), (70.0, 20)] {
      #expect(writer.isBest(evaluation(mean)))
      try writer.save(isLast: false) { former in
        if episodes == 20 { throw RunWriterTests.full }
        return try prepareSave(episodes, mean, formerBest: former)
      }
    }
    #expect(writer.best?.episodes == 10 && writer.best?.meanScore == 60)
  }

  @Test(arguments: [false, true])
  func aBestWithoutItsRecordIsSavedAndRecordedLater(isLast: Bool) throws {
    let log = RecordedLog()
    let isFull = Mutex(true)
    var operations = FileOperations()
    let normal = operations.rename
    operations.rename = { source, destination in
      guard isFull.withLock(\.self), destination.hasSuffix("best.json") else {
        return normal(source, destination)
      }
      errno = ENOSPC
      return -1
    }
    let checkpoints = directory.checkpoints
    try FileOperations.$current.withValue(operations) {
      var writer = writer(logger: Logger(label: "test") { _ in log })
      func save(_ episodes: Int, _ mean: Double? = nil) throws {
        try writer.save(isLast: isLast) {
          try prepareSave(episodes, mean, keep: 1, formerBest: $0)
        }
        writer.finishSave()
      }
      #expect(writer.isBest(evaluation(60)))
      try save(10, 60)
      #expect(writer.best?.episodes == 10 && writer.best?.meanScore == 60)
      #expect(try checkpoints.best() == nil)
      let messages = log.messages.withLock(\.self)
      #expect(messages.count == 2 && messages[0].hasPrefix(RunWriter.savedMessage))
      #expect(messages.last?.contains("best.json") == true)
      try save(20)
      #expect(try checkpoints.checkpoints().map(\.episodes) == [10, 20])
      // The next session keeps it, too.
      writer = RunWriter(
        directory, TrainingConfiguration(),
        from: RunState(best: writer.best), logger: silent)
      try save(30)
      #expect(try checkpoints.checkpoints().map(\.episodes) == [10, 30])
      isFull.withLock { $0 = false }
      try save(40)
    }
    #expect(try checkpoints.checkpoints().map(\.episodes) == [10, 40])
    #expect(try checkpoints.best()?.episodes == 10)
    #expect(try checkpoints.best()?.meanScore == 60)
  }

  @Test func whatNoLaterSaveCanRepairIsThrown() throws {
    let writer = writer()
    #expect(throws: RunWriterTests.full) {
      try writer.save(isLast: true) { _ in throw RunWriterTests.full }
    }
    let diverged = LocatedError.damaged("weights", nil, "are nan")
    #expect(throws: diverged) {
      try writer.save(isLast: false) { _ in throw diverged }
    }
  }

  private func report(_ episodes: Int) -> TrainingReport {
    TrainingReport(
      episodes: episodes, moves: 20, wallSeconds: 2, trainingSeconds: 1.5, movesPerSecond: 8,
      games: 0, meanScore: 0, maxScore: 0, reached: [:], learningRate: 0.5)
  }

  @Test(
    "a report that cannot be written is a warning, once, and the next one tries again",
    arguments: ["metrics.jsonl", "events.out.tfevents."])
  func failingReports(name: String) throws {
    let log = RecordedLog()
    let isFull = Mutex(true)
    var operations = FileOperations()
    let normal = operations.open
    operations.open = { path, flags in
      if isFull.withLock(\.self), path.contains(name) {
        errno = ENOSPC
        return -1
      }
      return normal(path, flags)
    }
    try FileOperations.$current.withValue(operations) {
      let writer = writer(logger: Logger(label: "test") { _ in log })
      for episodes in [10, 20, 30] { try writer.write(report(episodes)) }
      let warnings = log.messages.withLock(\.self)
      #expect(warnings.count == 1, "\(warnings)")
      #expect(
        warnings.first?.contains(name) == true && warnings.first?.contains("Free some") == true)
      isFull.withLock { $0 = false }
      try writer.write(report(40))
    }
    #expect(log.messages.withLock { $0.count == 2 && $0[1].contains("can be written again") })
    #expect(directory.reports.map(\.episodes) == [10, 20, 30, 40])
  }

  @Test func aReportIsALineOfJSON() throws {
    let writer = writer()
    var report = report(10)
    try writer.write(report)
    report.games = nil
    report.reached = ["2048": 0.25]
    report.evaluation = TrainingReport.Evaluation(games: 5, meanScore: 100.5, ci95: 90...110.25)
    try writer.write(report)
    let lines = try String(contentsOfFile: directory.metricsPath, encoding: .utf8)
    #expect(
      lines == """
        {"episodes":10,"games":0,"learningRate":0.5,"maxScore":0,"meanScore":0,"moves":20,\
        "movesPerSecond":8,"reached":{},"trainingSeconds":1.5,"wallSeconds":2}
        {"episodes":10,"evaluation":{"ci95":[90,110.25],"games":5,"meanScore":100.5},\
        "learningRate":0.5,"maxScore":0,"meanScore":0,"moves":20,"movesPerSecond":8,\
        "reached":{"2048":0.25},"trainingSeconds":1.5,"wallSeconds":2}

        """)
    #expect(directory.lastReport == report)
  }
}
