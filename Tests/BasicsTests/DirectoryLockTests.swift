import Foundation
import TestSupport
import Testing

@testable import Basics

@Suite struct RunLockTests {
  @Test func aSecondLockIsRefusedAndNamesTheHolder() throws {
    let directory = try TemporaryDirectory()
    do {
      let lock = try DirectoryLock(run: directory.path)
      let error = try #require(locatedError { _ = try DirectoryLock(run: directory.path) })
      #expect(error.kind == .locked)
      #expect(error.problem == "is in use by process \(getpid())")
      #expect(try directory.bytes("lock") == Array("\(getpid())\n".utf8))
      withExtendedLifetime(lock) {}
    }
    _ = try DirectoryLock(run: directory.path)
  }

  @Test func aDeletedFileDoesNotEndTheLock() throws {
    let directory = try TemporaryDirectory()
    let lock = try DirectoryLock(run: directory.path)
    try FileManager.default.removeItem(atPath: lock.path)
    let error = try #require(locatedError { _ = try DirectoryLock(run: directory.path) })
    #expect(error.kind == .locked && error.problem == "is in use by another process")
    #expect(directory.names.isEmpty)
    withExtendedLifetime(lock) {}
  }

  @Test func aLockThatADeadProcessLeftIsTaken() throws {
    let directory = try TemporaryDirectory()
    try directory.write("99999999999\n".utf8, "lock")
    let lock = try DirectoryLock(run: directory.path)
    #expect(try directory.bytes("lock") == Array("\(getpid())\n".utf8))
    withExtendedLifetime(lock) {}
  }

  @Test("a process that is starting, with copies of the descriptors, does not keep the lock")
  func copiedDescriptors() throws {
    let directory = try TemporaryDirectory()
    var copies: [Int32] = []
    do {
      let lock = try DirectoryLock(run: directory.path)
      copies = [lock.directory, lock.descriptor].map { dup($0) }
      #expect(copies.allSatisfy { $0 >= 0 })
    }
    defer { for copy in copies { close(copy) } }
    _ = try DirectoryLock(run: directory.path)
  }

  @Test func aLinkInPlaceOfTheLockIsNotFollowed() throws {
    let directory = try TemporaryDirectory()
    try directory.write([1, 2, 3], "precious")
    try FileManager.default.createDirectory(
      atPath: directory.file("run"), withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(
      atPath: directory.file("run/lock"), withDestinationPath: "../precious")
    let error = locatedError { _ = try DirectoryLock(run: directory.file("run")) }
    #expect(error?.kind == .cannotCreate && error?.path == directory.file("run/lock"))
    #expect(try directory.bytes("precious") == [1, 2, 3])
  }

  @Test func withoutADirectoryThereIsNoLock() throws {
    let directory = try TemporaryDirectory()
    let error = locatedError { _ = try DirectoryLock(run: directory.file("none")) }
    #expect(error?.kind == .cannotCreate)
  }
}
