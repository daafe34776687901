import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Basics

@Suite struct DirectoriesTests {
  @Test(arguments: [
    ("a", "."), ("a/", "."), ("", "."), (".", "."), ("a/b", "a"), ("a/b/", "a"), ("a//b", "a"),
    ("/", "/"), ("//", "/"), ("/a", "/"), ("/a/b/c", "/a/b"), ("../a", ".."),
  ])
  func parents(path: String, parent: String) {
    #expect(parentDirectory(of: path) == parent)
  }

  @Test func directoriesAreCreatedWithThoseAbove() throws {
    let root = try TemporaryDirectory()
    #expect(try createDirectory(at: root.file("a/b/c/")))
    #expect(try !createDirectory(at: root.file("a/b/c")))
    try root.write([1], "file")
    for path in ["file", "file/a", "file/a/b"] {
      let error = locatedError { try createDirectory(at: root.file(path)) }
      #expect(error?.kind == .cannotCreate, "\(path)")
    }
    let long = String(repeating: "x", count: 300)
    #expect(
      locatedError { try createDirectory(at: root.file("new/\(long)")) }?.kind == .cannotCreate)
    #expect(
      locatedError { try createDirectory(at: root.file("new/er/\(long)")) }?.kind == .cannotCreate)
    #expect(root.names == ["a", "file"])
    #if os(Linux)
      // Its parent exists, and yet the system says that something on the path does not.
      #expect(locatedError { try createDirectory(at: "/proc/new") } != nil)
    #endif
  }

  // Promise: A run is never lost
  @Test func directoriesOutliveAPowerFailure() throws {
    let root = try TemporaryDirectory()
    let flushed = Mutex<[String]>([])
    var operations = FileOperations()
    operations.synchronizeDirectory = { path in
      flushed.withLock { $0.append(path) }
      return 0
    }
    try FileOperations.$current.withValue(operations) {
      _ = try createDirectory(at: root.file("a/b"))
      _ = try createDirectory(at: root.file("a/b"))
    }
    #expect(flushed.withLock { $0 } == [root.path, root.file("a")])
  }

  @Test func aNewDirectoryThatCannotBeFilledIsRemoved() throws {
    let root = try TemporaryDirectory()
    struct Trouble: Error {}
    func fill(_ name: String) throws {
      try fillNewDirectory(at: root.file(name)) { lock in
        try root.write([1], "\(name)/file")
        withExtendedLifetime(lock) {}
        throw Trouble()
      }
    }
    #expect(throws: Trouble.self) { try fill("new") }
    #expect(throws: Trouble.self) { try fill("new/and/deep") }
    #expect(root.names == [])
    // What was there stays, and so does what another process uses.
    _ = try createDirectory(at: root.file("old"))
    #expect(throws: Trouble.self) { try fill("old") }
    #expect(root.names == ["old"])
    let lock = try fillNewDirectory(at: root.file("locked")) { $0 }
    #expect(locatedError { try fill("locked") }?.kind == .locked)
    #expect(root.names == ["locked", "old"])
    withExtendedLifetime(lock) {}
  }
}
