import Foundation
import Logging
import Play
import TestSupport
import Testing

@testable import Basics
@testable import ModelFiles
@testable import Training

/// One operation on files fails, each in turn: what is on the disk stays old or becomes new.
@Suite struct FaultTests {
  private let root: TemporaryDirectory
  private var settings = TrainingConfiguration()

  init() throws {
    root = try TemporaryDirectory()
    settings.patterns = ["01", "45"]
    settings.episodes = 20
    settings.reportEveryEpisodes = 10
    settings.evaluationEveryEpisodes = 20
    settings.evaluationGames = 1
    settings.checkpointEverySeconds = 0
    settings.checkpointKeep = 1
    settings.method = StepSchedule(constant: .tc)
  }

  /// Returns the settings, of a run that saves at its end only or in the background too.
  private func settings(savesInBackground: Bool) -> TrainingConfiguration {
    guard savesInBackground else { return settings }
    var settings = settings
    settings.checkpointEveryEpisodes = 10
    settings.evaluationEveryEpisodes = 10
    return settings
  }

  private func train(_ run: TrainingRun) throws {
    let logger = Logger(label: "test") { _ in LogFile(path: run.directory.logPath) }
    _ = try run.train(logger: logger, evaluate: GreedyEvaluation.play) { _ in }
  }

  /// Resumes a run, unless it is finished.
  private func resume(_ directory: RunDirectory, _ settings: TrainingConfiguration) throws {
    do {
      try train(TrainingRun.resume(in: directory, configuration: settings))
    } catch let error as LocatedError where error.kind == .usage {
      // It is finished.
    }
  }

  private func checksum(of directory: RunDirectory) throws -> String {
    try #require(try WeightFile.verify(directory.checkpoints.checkpoint(.latest).path).checksum)
  }

  /// The temporary files in a run directory.
  private func temporaries(in directory: RunDirectory) -> [String] {
    let names = FileManager.default.enumerator(atPath: directory.path)?.allObjects as? [String]
    return (names ?? []).filter { $0.contains(".tmp-") }
  }

  private func expectDocumented(_ error: any Error, _ call: String) {
    let kinds: [LocatedError.Kind] = [.inputOutput, .cannotCreate]
    #expect((error as? LocatedError).map { kinds.contains($0.kind) } == true, "\(call): \(error)")
  }

  // Promise: A run is never lost
  @Test(arguments: FaultyFiles.Fault.allCases, [false, true])
  func aResumedRunIsOldOrNew(fault: FaultyFiles.Fault, savesInBackground: Bool) throws {
    let settings = settings(savesInBackground: savesInBackground)
    let first = RunDirectory(path: root.file("first"))
    try train(TrainingRun.start(in: first, configuration: settings))
    var longer = settings
    longer.episodes = 40

    // The weights after each save of a whole run, by the number of episodes.
    var keeping = longer
    keeping.checkpointKeep = 9
    let whole = RunDirectory(path: root.file("whole"))
    try FileManager.default.copyItem(atPath: first.path, toPath: whole.path)
    try train(TrainingRun.resume(in: whole, configuration: keeping))
    var expected: [Int: String] = [:]
    for checkpoint in try whole.checkpoints.checkpoints() {
      expected[checkpoint.episodes] = try WeightFile.verify(checkpoint.path).checksum
    }

    let directory = RunDirectory(path: root.file("run"))
    func disturb(_ files: FaultyFiles) throws -> Result<Void, any Error> {
      try? FileManager.default.removeItem(atPath: directory.path)
      try FileManager.default.copyItem(atPath: first.path, toPath: directory.path)
      return FileOperations.$current.withValue(files.operations) {
        Result { try train(TrainingRun.resume(in: directory, configuration: longer)) }
      }
    }
    let recorder = FaultyFiles()
    try disturb(recorder).get()
    let calls = recorder.calls
    #expect(calls.count > (savesInBackground ? 50 : 30))
    for call in calls {
      let files = FaultyFiles(failing: call, fault)
      let result = try disturb(files)
      #expect(files.didFail, "\(call)")
      #expect(temporaries(in: directory) == [], "\(call)")
      let saved = try #require(try directory.checkpoints.verify().state?.episodes, "\(call)")
      #expect(try checksum(of: directory) == expected[saved], "\(call)")
      switch result {
      case .success: #expect(saved == 40, "\(call)")
      case .failure(let error): expectDocumented(error, call)
      }
      // Without faults it continues to the same end.
      try resume(directory, longer)
      #expect(try checksum(of: directory) == expected[40], "\(call)")
      #expect(directory.reports.map(\.episodes) == [10, 20, 30, 40], "\(call)")
    }
  }

  // Promise: A run is never lost
  @Test(arguments: FaultyFiles.Fault.allCases, [false, true])
  func aNewRunIsWholeOrNotThere(fault: FaultyFiles.Fault, savesInBackground: Bool) throws {
    let settings = settings(savesInBackground: savesInBackground)
    let directory = RunDirectory(path: root.file("run"))
    func disturb(_ files: FaultyFiles) -> Result<Void, any Error> {
      try? FileManager.default.removeItem(atPath: directory.path)
      return FileOperations.$current.withValue(files.operations) {
        do {
          let run = try TrainingRun.start(in: directory, configuration: settings)
          return Result { try train(run) }
        } catch {
          #expect(!FileManager.default.fileExists(atPath: directory.path))
          return .failure(error)
        }
      }
    }
    let recorder = FaultyFiles()
    try disturb(recorder).get()
    let (calls, expected) = try (recorder.calls, checksum(of: directory))
    #expect(calls.count > (savesInBackground ? 40 : 20))
    if savesInBackground {
      // The first best is recorded in the background, before the next save begins.
      let record = try #require(calls.firstIndex(of: "rename best.json 1"))
      let next = try #require(calls.firstIndex(of: "open .episodes-000000020.safetensors 1"))
      #expect(record < next)
    }
    for call in calls {
      let files = FaultyFiles(failing: call, fault)
      let result = disturb(files)
      #expect(files.didFail, "\(call)")
      if case .failure(let error) = result { expectDocumented(error, call) }
      guard directory.exists else { continue }
      #expect(temporaries(in: directory) == [], "\(call)")
      try resume(directory, settings)
      #expect(try checksum(of: directory) == expected, "\(call)")
    }
  }
}
