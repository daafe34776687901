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

  // Promise: Learning never changes silently
  @Test func aDeletedFileDoesNotEndTheLock() throws {
    let directory = try TemporaryDirectory()
    let lock = try DirectoryLock(run: directory.path)
    try FileManager.default.removeItem(atPath: lock.file.path)
    let error = try #require(locatedError { _ = try DirectoryLock(run: directory.path) })
    #expect(error.kind == .locked && error.problem == "is in use by another process")
    #expect(directory.names.isEmpty)
    withExtendedLifetime(lock) {}
  }

  @Test("the file is removed with the lock, but not another one in its place")
  func removal() throws {
    let directory = try TemporaryDirectory()
    var lock: DirectoryLock? = try DirectoryLock(run: directory.path)
    #expect(directory.names == ["lock"])
    lock = nil
    #expect(directory.names.isEmpty)
    lock = try DirectoryLock(run: directory.path)
    try FileManager.default.removeItem(atPath: directory.file("lock"))
    try directory.write([1, 2, 3], "lock")
    withExtendedLifetime(lock) {}
    lock = nil
    #expect(try directory.bytes("lock") == [1, 2, 3])
  }

  @Test("others see whether a process holds the lock, and since when")
  func holding() throws {
    let directory = try TemporaryDirectory()
    #expect(DirectoryLock.heldSince(directory.path) == nil)
    let before = Date(timeIntervalSinceNow: -1)
    var lock: DirectoryLock? = try DirectoryLock(run: directory.path)
    let since = try #require(DirectoryLock.heldSince(directory.path))
    #expect(since > before && since < Date(timeIntervalSinceNow: 1))
    withExtendedLifetime(lock) {}
    lock = nil
    #expect(DirectoryLock.heldSince(directory.path) == nil)
    // As after a kill.
    try directory.write("99999999999\n".utf8, "lock")
    #expect(DirectoryLock.heldSince(directory.path) == nil)
  }

  @Test("who asks about a lock does not keep others from taking it")
  func asking() throws {
    let directory = try TemporaryDirectory()
    try directory.write([], "lock")
    let descriptor = open(directory.file("lock"), O_RDONLY)
    #expect(flock(descriptor, LOCK_SH | LOCK_NB) == 0)
    let asking = Thread {
      usleep(20_000)
      close(descriptor)
    }
    asking.start()
    _ = try DirectoryLock(run: directory.path)
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
      copies = [lock.directory, lock.file.descriptor].map { dup($0) }
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

  @Test("a lock that is released leaves nothing, whoever holds its object")
  func releasing() throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("lock")
    let first = try LockFile(path: path, for: "x")
    first.release()
    #expect(directory.names.isEmpty)
    let second = try LockFile(path: path, for: "x")
    first.release()
    withExtendedLifetime(first) {}
    #expect(directory.names == ["lock"] && LockFile.heldSince(path) != nil)
    withExtendedLifetime(second) {}
  }
}
