import Foundation
import Logging
import Play
import TestSupport
import Testing

@testable import Basics
@testable import ModelFiles
@testable import Training

/// A crash may come at any moment of a run: what it leaves resumes from the old or the new checkpoint, to the same end.
@Suite struct CrashTests {
  private let root: TemporaryDirectory
  private var settings = TrainingConfiguration()

  init() throws {
    root = try TemporaryDirectory()
    // Games on small boards are short.
    settings.boardSize = 2
    settings.patterns = ["01", "45"]
    settings.episodes = 4
    settings.reportEveryEpisodes = 4
    settings.evaluationEveryEpisodes = 4
    settings.evaluationGames = 1
    settings.checkpointEverySeconds = 0
    settings.checkpointKeep = 1
    settings.method = StepSchedule(constant: .tc)
  }

  private func train(_ run: TrainingRun) throws {
    let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    _ = try run.train(logger: silent, evaluate: GreedyEvaluation.play) { _ in }
  }

  /// Resumes a run, unless it is finished.
  private func resume(_ directory: RunDirectory, episodes: Int) throws {
    var settings = settings
    settings.episodes = episodes
    do {
      try train(TrainingRun.resume(in: directory, configuration: settings))
    } catch let error as LocatedError where error.kind == .usage {
      // It is finished.
    }
  }

  private func latest(_ directory: RunDirectory) throws -> String {
    try #require(try WeightFile.verify(directory.checkpoints.checkpoint(.latest).path).checksum)
  }

  /// Records `body`, and resumes from everything that a crash in it could leave, up to some episodes.
  ///
  /// - Parameter saved: The episodes of the checkpoints that may be in place.
  /// - Returns: The number of states.
  private func crash(
    _ run: RunDirectory, saved: [Int], end: Int, _ body: () throws -> Void
  ) throws -> Int {
    // The TensorBoard file is not promised to be whole. Of temporary files, only those of states are read.
    let recorder = try CrashRecorder(
      of: run.path, ignores: { ($0 as NSString).lastPathComponent.hasPrefix("events.") },
      isOpaque: { $0.contains(".tmp-") && !$0.contains(".state.") })
    try FileOperations.$current.withValue(recorder.operations, operation: body)
    let whole = RunDirectory(path: root.file("whole"))
    try FileManager.default.copyItem(atPath: run.path, toPath: whole.path)
    try resume(whole, episodes: end)
    let expected = try latest(whole)

    let copy = RunDirectory(path: root.file("copy"))
    let states = recorder.states()
    var found: Set<Int> = []
    for (number, state) in states.enumerated() {
      try recorder.write(state, to: copy.path)
      // A crash before the configuration leaves no run.
      guard copy.exists else { continue }
      let names = "state \(number): \(state.keys.sorted())"
      do {
        try resume(copy, episodes: end)
        let before = try #require(
          state.isEmpty ? nil : try savedEpisodes(state, recorder), "\(names)")
        found.insert(before)
        #expect(saved.contains(before), "\(names)")
        #expect(try latest(copy) == expected, "\(names)")
        let reports = copy.reports.map(\.episodes)
        #expect(reports == Array(stride(from: 4, through: end, by: 4)), "\(names)")
        _ = try copy.checkpoints.verify()
      } catch {
        Issue.record("\(names): \(error)")
      }
    }
    #expect(found == Set(saved), "old and new are among the states")
    return states.count
  }

  /// Returns the episodes of the checkpoint that a state resumes from; 0 without one.
  private func savedEpisodes(_ state: CrashRecorder.Disk, _ recorder: CrashRecorder) throws -> Int {
    let path = root.file("probe")
    try recorder.write(state, to: path)
    let checkpoints = RunDirectory(path: path).checkpoints
    try checkpoints.completeInterruptedSave()
    return try checkpoints.stateHeader()?.episodes ?? 0
  }

  // Promise: A run is never lost
  @Test func aFirstSave() throws {
    let run = RunDirectory(path: root.file("run"))
    try FileManager.default.createDirectory(
      atPath: run.checkpoints.path, withIntermediateDirectories: true)
    let count = try crash(run, saved: [0, 4], end: 8) {
      try train(TrainingRun.start(in: run, configuration: settings))
    }
    #expect(count > 200, "the number of states, which depends a little on the times in the files")
  }

  // Promise: A run is never lost
  @Test func aSaveAfterAnother() throws {
    let run = RunDirectory(path: root.file("run"))
    try train(TrainingRun.start(in: run, configuration: settings))
    let count = try crash(run, saved: [4, 8], end: 12) { try resume(run, episodes: 8) }
    #expect(count > 140, "the number of states, which depends a little on the times in the files")
  }

  // Promise: A run is never lost
  @Test func anEarlierBestIsKept() throws {
    let run = RunDirectory(path: root.file("run"))
    try train(TrainingRun.start(in: run, configuration: settings))
    try resume(run, episodes: 8)
    let count = try crash(run, saved: [8, 12], end: 16) { try resume(run, episodes: 12) }
    #expect(count > 140, "the number of states, which depends a little on the times in the files")
  }
}
