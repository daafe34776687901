import Foundation
import NTupleNetwork
import Synchronization
import TestSupport
import Testing

@testable import Basics
@testable import ModelFiles

@Suite struct AtomicFileTests {
  private let directory: TemporaryDirectory
  private var path: String { directory.file("net") }

  init() throws { directory = try TemporaryDirectory() }

  private func text(_ name: String) throws -> String {
    String(decoding: try directory.bytes(name), as: UTF8.self)
  }

  @Test func aSmallFileIsReplaced() throws {
    try writeAtomically("one".utf8, to: path)
    try writeAtomically("two, and longer".utf8, to: path)
    try writeAtomically("".utf8, to: directory.file("empty"))
    #expect(try text("net") == "two, and longer")
    #expect(directory.names == ["empty", "net"])
  }

  @Test func aCleanerThatIsFasterThanTheLockDoesNoHarm() throws {
    let opened = Counter()
    var operations = FileOperations()
    let normal = operations
    operations.open = { path, flags in
      let descriptor = normal.open(path, flags)
      if opened.next() == 1 { unlink(path) }
      return descriptor
    }
    try FileOperations.$current.withValue(operations) { try writeAtomically("one".utf8, to: path) }
    #expect(try text("net") == "one")
    #expect(directory.names == ["net"])
  }

  @Test func theTemporaryFilesOfAProcessWithTheSameIdentifierAreLeftAlone() throws {
    let opened = Counter()
    let others = Mutex<[String]>([])
    var operations = FileOperations()
    operations.open = { [normal = operations, directory] path, flags in
      if opened.next() == 1 {
        // The other process, in another container, has made this file and the next ones.
        let name = (path as NSString).lastPathComponent
        let digits = name.reversed().prefix { $0.isNumber }.count
        let number = Int(name.suffix(digits)) ?? 0
        let names = (number...number + 50).map { String(name.dropLast(digits)) + "\($0)" }
        for name in names { try? directory.write("other".utf8, name) }
        others.withLock { $0 = names }
      }
      return normal.open(path, flags)
    }
    try FileOperations.$current.withValue(operations) { try writeAtomically("one".utf8, to: path) }
    #expect(try text("net") == "one")
    let names = others.withLock(\.self)
    #expect(names.count == 51 && directory.names == (names + ["net"]).sorted())
    #expect(try names.allSatisfy { try text($0) == "other" })
  }

  /// System calls that fail as listed, after some that succeed.
  private static func failing(_ call: String, _ code: Int32, after successes: Int)
    -> FileOperations
  {
    let counter = Counter()
    var operations = FileOperations()
    let normal = operations
    @Sendable func fails(_ name: String) -> Bool {
      guard name == call, counter.next() > successes else { return false }
      errno = code
      return true
    }
    operations.write = { fails("write") ? -1 : normal.write($0, $1, $2) }
    operations.synchronize = { fails("fsync") ? -1 : normal.synchronize($0) }
    operations.rename = { fails("rename") ? -1 : normal.rename($0, $1) }
    return operations
  }

  // Promise: A run is never lost
  @Test(arguments: [
    ("write", ENOSPC, 0, "No space left"), ("write", ENOSPC, 3, "Free some disk space"),
    ("write", EFBIG, 1, "ulimit -f"), ("write", EDQUOT, 1, "quota"),
    ("fsync", EIO, 0, "cannot put the file in place"), ("rename", EACCES, 0, "ermission"),
  ])
  func aFailureLeavesTheFormerFile(
    call: String, code: Int32, successes: Int, trouble: String
  ) throws {
    let old = numberedNetwork(try shape("0123"))
    let new = numberedNetwork(try shape("0123", "4567", "89ab", "cdef"), from: 9)
    try WeightFile.write(old, metadata: someMetadata, to: path)
    let error = locatedError {
      try FileOperations.$current.withValue(Self.failing(call, code, after: successes)) {
        _ = try WeightFile.write(new, metadata: someMetadata, to: path)
      }
    }
    #expect(error?.kind == (code == EACCES ? .cannotCreate : .inputOutput))
    #expect(error.map { "\($0)".contains(trouble) } == true, "\(String(describing: error))")
    #expect(directory.names == ["net"])
    #expect(try identical(WeightFile.read(path).network.allWeights, old.allWeights))
  }

  @Test func interruptedAndShortWritesAreContinued() throws {
    let counter = Counter()
    let normal = FileOperations()
    var operations = normal
    operations.write = { descriptor, bytes, offset in
      let number = counter.next()
      if number % 3 == 0 {
        errno = EINTR
        return -1
      }
      let count = min(bytes.count, 1_000 + number)
      return normal.write(descriptor, UnsafeRawBufferPointer(rebasing: bytes[..<count]), offset)
    }
    operations.synchronize = { descriptor in
      if counter.next() % 2 == 0 {
        errno = EINTR
        return -1
      }
      return normal.synchronize(descriptor)
    }
    let network = numberedNetwork(try shape("0123"))
    try FileOperations.$current.withValue(operations) {
      _ = try WeightFile.write(network, metadata: someMetadata, to: path)
    }
    #expect(counter.next() > 200)
    #expect(try identical(WeightFile.read(path).network.allWeights, network.allWeights))
  }

  @Test func whatCannotBeCreatedSaysWhy() throws {
    func error(_ path: String) -> LocatedError? {
      locatedError { try writeAtomically("x".utf8, to: path) }
    }
    let nowhere = try #require(error(directory.file("no/such/file")))
    #expect(nowhere.kind == .cannotCreate)
    #expect(nowhere.description.contains("No such file or directory. Create the directory first."))
    #expect(error(directory.path)?.problem == "is a directory")
    // A pipe of the test stands for all devices. If the check failed, it would be replaced.
    let pipe = directory.file("pipe")
    #expect(mkfifo(pipe, 0o600) == 0)
    #expect(error(pipe)?.problem == "is not a regular file")
    try writeAtomically("x".utf8, to: path)
    #expect(error(path + "/below")?.kind == .cannotCreate)
    #expect(error(directory.file(String(repeating: "n", count: 300)))?.kind == .cannotCreate)
  }

  @Test func aLinkIsFollowed() throws {
    try writeAtomically("old".utf8, to: path)
    let link = directory.file("link")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    try writeAtomically("new".utf8, to: link)
    #expect(try text("net") == "new")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == path)
  }

  @Test func zerosBecomeHolesAndTheRestIsThere() throws {
    var bytes = [UInt8](repeating: 0, count: 50_000)
    for place in [0, 4_000, 8_200, 20_000, 20_001, 49_999] { bytes[place] = 7 }
    for (number, offset) in [0, 64, 4_095].enumerated() {
      let name = "holes\(number)"
      let file = try AtomicFile(path: directory.file(name))
      try bytes.withUnsafeBytes { try file.writeSkippingZeros($0, at: offset) }
      try file.setLength(offset + bytes.count + 5)
      try file.commit()
      let expected = [UInt8](repeating: 0, count: offset) + bytes + [0, 0, 0, 0, 0]
      #expect(try identical(directory.bytes(name), expected))
    }
  }

  @Test func aPageOfZerosIsNotWritten() throws {
    var bytes = [UInt8](repeating: 1, count: 20_000)
    bytes.replaceSubrange((8_192 - 64)..<(12_288 - 64), with: repeatElement(0, count: 4_096))
    let written = Mutex<[Range<Int>]>([])
    let normal = FileOperations()
    var operations = normal
    operations.write = { descriptor, bytes, offset in
      written.withLock { $0.append(offset..<(offset + bytes.count)) }
      return normal.write(descriptor, bytes, offset)
    }
    // A file keeps the operations with which it was created.
    let file = try FileOperations.$current.withValue(operations) { try AtomicFile(path: path) }
    try bytes.withUnsafeBytes { try file.writeSkippingZeros($0, at: 64) }
    #expect(written.withLock { $0 } == [64..<8_192, 12_288..<20_064])
  }

  // MARK: Temporaries

  @Test func onlyStaleTemporariesAreRemoved() throws {
    let writing = try AtomicFile(path: path)
    let stale = [".net.tmp-1-1", ".a.tmp-b.tmp-\(getpid())-99"]
    let other = [".net", "net.tmp-1-1", ".net.tmp-1", ".net.tmp-1-x", ".net.tmp--"]
    for name in stale + other { try directory.write([1], name) }
    let inUse = directory.names.filter { !(stale + other).contains($0) }
    #expect(inUse.count == 1)
    #expect(Temporaries.removeStale(in: directory.path) == stale.sorted())
    #expect(directory.names == (other + inUse).sorted())
    try writing.commit()
    #expect(directory.names == (other + ["net"]).sorted())
    #expect(Temporaries.removeStale(in: directory.file("nowhere")).isEmpty)
  }

  @Test func theNextWriterOfAFileRemovesItsTemporaries() throws {
    for name in [".net.tmp-1-1", ".other.tmp-1-1"] { try directory.write([1], name) }
    let other = try AtomicFile(path: path)
    try AtomicFile(path: path).commit()
    try other.commit()
    #expect(directory.names == [".other.tmp-1-1", "net"])
  }
}

/// A counter of calls from any thread.
final class Counter: Sendable {
  private let count = Atomic<Int>(0)

  func next() -> Int { count.add(1, ordering: .relaxed).newValue }
}
