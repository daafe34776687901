import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Basics
@testable import Experiments

@Suite struct TemporaryRunsTests {
  private let root: TemporaryDirectory

  init() throws { root = try TemporaryDirectory() }

  @Test func whatAKilledProcessLeftIsRemovedAndWhatIsInUseIsNot() throws {
    // The second was left before its lock was taken.
    for name in ["learn2048-sweep-1/runs/a", "learn2048-sweep-2", "other/runs", "target"] {
      try createDirectory(at: root.file(name))
    }
    try root.write("99999999999\n".utf8, "learn2048-sweep-1/lock")
    try FileManager.default.createSymbolicLink(
      atPath: root.file("learn2048-sweep-link"), withDestinationPath: "target")
    let others = ["learn2048-sweep-link", "other", "target"]
    do {
      let first = try TemporaryRuns(in: root.path)
      let second = try TemporaryRuns(in: root.path)
      let names = [first, second].map { ($0.path as NSString).lastPathComponent }
      #expect(root.names == (names + others).sorted())
      withExtendedLifetime((first, second)) {}
    }
    #expect(root.names == others)
    #expect(try FileManager.default.contentsOfDirectory(atPath: root.file("target")) == [])
  }

  @Test("a rank that removes the directory before its lock is taken does no harm")
  func removalBeforeTheLock() throws {
    let cleaner = Mutex<(count: Int, lock: DirectoryLock?)>((0, nil))
    var operations = FileOperations()
    // A new directory is flushed. The first is in use by the cleaner then, and the second has been removed.
    operations.synchronizeDirectory = { [root] _ in
      cleaner.withLock { cleaner in
        cleaner.count += 1
        guard cleaner.count <= 2 else { return }
        let path = root.file(root.names.first { $0 != cleaner.lock?.directoryName } ?? "")
        if cleaner.count == 1 {
          cleaner.lock = try? DirectoryLock(run: path)
        } else {
          try? FileManager.default.removeItem(atPath: path)
        }
      }
      return 0
    }
    let runs = try FileOperations.$current.withValue(operations) {
      try TemporaryRuns(in: root.path)
    }
    #expect(cleaner.withLock { $0.count } == 3)
    let name = (runs.path as NSString).lastPathComponent
    let others = root.names.filter { $0 != name }
    #expect(root.names.count == 2 && others == [cleaner.withLock { $0.lock?.directoryName }])
    #expect(throws: LocatedError.self) { _ = try DirectoryLock(run: runs.path) }
  }
}

extension DirectoryLock {
  /// The name of the locked directory.
  fileprivate var directoryName: String {
    (parentDirectory(of: file.path) as NSString).lastPathComponent
  }
}
