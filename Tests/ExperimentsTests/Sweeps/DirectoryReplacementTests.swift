import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Basics
@testable import Experiments

@Suite struct DirectoryReplacementTests {
  private let root: TemporaryDirectory

  init() throws { root = try TemporaryDirectory() }

  /// Creates the directories `sent` and `kept`, and sends the files of the first to replace the second.
  ///
  /// - Returns: The error of the rank that receives.
  private func replace(_ operations: FileOperations = FileOperations()) throws -> (any Error)? {
    for (name, text) in [("sent", "new"), ("kept", "old")] {
      try createDirectory(at: root.file("\(name)/checkpoints"))
      try root.write(text.utf8, "\(name)/checkpoints/state")
      try root.write([], "\(name)/only-\(text)")
    }
    let errors = Mutex<[Int: any Error]>([:])
    ThreadCommunicator.run(ranks: 2) { [root] communicator in
      do {
        try FileOperations.$current.withValue(operations) {
          let directory = root.file(communicator.rank == 1 ? "sent" : "kept")
          try communicator.copyFiles(in: directory, from: 1, to: 0)
        }
      } catch {
        errors.withLock { $0[communicator.rank] = error }
      }
    }
    #expect(errors.withLock { $0.count } != 1, "a failure is one of both ranks")
    return errors.withLock { $0[0] }
  }

  private func expectKept(_ text: String) throws {
    #expect(root.names == ["kept", "sent"])
    #expect(try root.bytes("kept/checkpoints/state") == Array(text.utf8))
    let names = try FileManager.default.contentsOfDirectory(atPath: root.file("kept"))
    #expect(names.sorted() == ["checkpoints", "only-\(text)"])
  }

  @Test func theFilesThatAreSentReplaceTheDirectory() throws {
    #expect(try replace() == nil)
    try expectKept("new")
  }

  // Promise: A run is never lost
  @Test(arguments: 1...3)
  func aKillBeforeAnyRenameLeavesACompleteDirectory(place: Int) throws {
    let renames = Counter()
    var operations = FileOperations()
    operations.rename = { [normal = operations] source, target in
      // The renames of files are those of the copy in progress.
      if PathLookup.isDirectory(source), renames.next() >= place {
        errno = EIO
        return -1
      }
      return normal.rename(source, target)
    }
    #expect(try replace(operations) as? JobFailure != nil)
    for unfinished in DirectoryReplacement.unfinished(in: root.path) { try unfinished.recover() }
    try expectKept(place == 1 ? "old" : "new")
  }
}

/// A counter of calls from any thread.
private final class Counter: Sendable {
  private let count = Atomic<Int>(0)

  func next() -> Int { count.add(1, ordering: .relaxed).newValue }
}
