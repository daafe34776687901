import Foundation
import Logging
import Players
import Synchronization
import TestSupport
import Testing

@testable import Basics
@testable import Checkpoints
@testable import Configuration
@testable import ModelFiles
@testable import Training

/// One operation on files fails, at every place in turn: what is on the disk stays old or becomes new.
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

  /// How an operation fails.
  enum Fault: CaseIterable {
    case error, shortWrite
  }

  /// Returns operations of which the one with this number fails, and whether it came to that.
  private func failing(
    at number: Int, _ fault: Fault
  ) -> (FileOperations, didFail: @Sendable () -> Bool) {
    let count = Counter()
    let normal = FileOperations()
    @Sendable func fails() -> Bool {
      guard count.next() == number else { return false }
      errno = EIO
      return true
    }
    var operations = normal
    operations.open = { fails() ? -1 : normal.open($0, $1) }
    operations.truncate = { fails() ? -1 : normal.truncate($0, $1) }
    operations.synchronize = { fails() ? -1 : normal.synchronize($0) }
    operations.rename = { fails() ? -1 : normal.rename($0, $1) }
    operations.synchronizeDirectory = { fails() ? -1 : normal.synchronizeDirectory($0) }
    // After half of the bytes, the disk is full for a while.
    let isFull = Atomic(false)
    operations.write = { descriptor, bytes, offset in
      if isFull.exchange(false, ordering: .relaxed) {
        errno = ENOSPC
        return -1
      }
      guard fails() else { return normal.write(descriptor, bytes, offset) }
      guard fault == .shortWrite, bytes.count > 1 else { return -1 }
      isFull.store(true, ordering: .relaxed)
      return normal.write(
        descriptor, UnsafeRawBufferPointer(rebasing: bytes[..<(bytes.count / 2)]), offset)
    }
    return (operations, { count.value >= number })
  }

  private func train(_ run: TrainingRun) throws {
    let logger = Logger(label: "test") { _ in LogFile(path: run.directory.logPath) }
    _ = try run.train(logger: logger, evaluate: GreedyEvaluation.play) { _ in }
  }

  private func checksum(of directory: RunDirectory) throws -> String {
    try WeightFile.verify(directory.checkpoints.checkpoint(.latest).path).checksum
  }

  /// The temporary files in a run directory.
  private func temporaries(in directory: RunDirectory) -> [String] {
    let names = FileManager.default.enumerator(atPath: directory.path)?.allObjects as? [String]
    return (names ?? []).filter { $0.contains(".tmp-") }
  }

  private func expectDocumented(_ error: any Error, _ number: Int) {
    let kinds: [LocatedError.Kind] = [.inputOutput, .cannotCreate]
    #expect((error as? LocatedError).map { kinds.contains($0.kind) } == true, "\(number): \(error)")
  }

  @Test(arguments: Fault.allCases)
  func aResumedRunIsOldOrNew(fault: Fault) throws {
    let first = RunDirectory(path: root.file("first"))
    try train(TrainingRun.start(in: first, configuration: settings))
    var longer = settings
    longer.episodes = 40
    let whole = RunDirectory(path: root.file("whole"))
    try train(TrainingRun.start(in: whole, configuration: longer))
    let (old, new) = try (checksum(of: first), checksum(of: whole))

    var number = 1
    while true {
      let directory = RunDirectory(path: root.file("\(fault)-\(number)"))
      try FileManager.default.copyItem(atPath: first.path, toPath: directory.path)
      let (operations, didFail) = failing(at: number, fault)
      let result = FileOperations.$current.withValue(operations) {
        Result { try train(TrainingRun.resume(in: directory, configuration: longer)) }
      }
      #expect(temporaries(in: directory) == [], "\(number)")
      let contents = try directory.checkpoints.verify()
      let saved = try checksum(of: directory)
      switch result {
      case .success:
        #expect(saved == new, "\(number)")
        #expect(directory.reports.map(\.episodes) == [10, 20, 30, 40], "\(number)")
      case .failure(let error):
        expectDocumented(error, number)
        #expect([old, new].contains(saved), "\(number)")
        #expect(contents.state?.episodes == (saved == old ? 20 : 40), "\(number)")
      }
      // Without faults it continues to the same end.
      do {
        try train(TrainingRun.resume(in: directory, configuration: longer))
        #expect(saved == old, "\(number)")
      } catch let error as LocatedError where error.kind == .usage {
        #expect(saved == new, "\(number)")
      }
      #expect(try checksum(of: directory) == new, "\(number)")
      try FileManager.default.removeItem(atPath: directory.path)
      guard didFail() else { break }
      number += 1
    }
    #expect(number > 30)
  }

  @Test(arguments: Fault.allCases)
  func aNewRunIsWholeOrNotThere(fault: Fault) throws {
    let whole = RunDirectory(path: root.file("whole"))
    try train(TrainingRun.start(in: whole, configuration: settings))
    let expected = try checksum(of: whole)
    var number = 1
    while true {
      let directory = RunDirectory(path: root.file("\(fault)-\(number)"))
      let (operations, didFail) = failing(at: number, fault)
      let result = FileOperations.$current.withValue(operations) { () -> Result<Void, any Error> in
        do {
          let run = try TrainingRun.start(in: directory, configuration: settings)
          return Result { try train(run) }
        } catch {
          #expect(!FileManager.default.fileExists(atPath: directory.path), "\(number)")
          return .failure(error)
        }
      }
      if case .failure(let error) = result { expectDocumented(error, number) }
      if directory.exists {
        #expect(temporaries(in: directory) == [], "\(number)")
        do {
          try train(TrainingRun.resume(in: directory, configuration: settings))
        } catch let error as LocatedError where error.kind == .usage {
          // It is finished.
        }
        #expect(try checksum(of: directory) == expected, "\(number)")
        try FileManager.default.removeItem(atPath: directory.path)
      }
      guard didFail() else { break }
      number += 1
    }
    #expect(number > 20)
  }
}

/// A counter of calls from any thread.
private final class Counter: Sendable {
  private let count = Atomic<Int>(0)

  var value: Int { count.load(ordering: .relaxed) }

  func next() -> Int { count.add(1, ordering: .relaxed).newValue }
}
