import Foundation
import Logging
import Synchronization
import TestSupport
import Testing

@testable import Basics
@testable import Training

@Suite struct LogFileTests {
  private func logger(_ file: LogFile) -> Logger { Logger(label: "test") { _ in file } }

  // Promise: A long run stays flat
  @Test func aFullFileIsRenamed() throws {
    let directory = try TemporaryDirectory()
    let logger = logger(LogFile(path: directory.file("log.txt"), sizeLimit: 200))
    for number in 0..<100 { logger.info("message \(number)") }
    #expect(directory.names == ["log.1.txt", "log.txt"])
    for name in directory.names { #expect(try directory.bytes(name).count < 300) }
    let last = String(decoding: try directory.bytes("log.txt"), as: UTF8.self)
    #expect(last.hasSuffix(" info message 99\n"))
  }

  @Test func aFailureIsReportedOnce() throws {
    let directory = try TemporaryDirectory()
    try FileManager.default.createDirectory(
      atPath: directory.file("log.txt"), withIntermediateDirectories: false)
    let failures = Mutex<[String]>([])
    let logger = logger(
      LogFile(path: directory.file("log.txt")) { text in failures.withLock { $0.append(text) } })
    func count() -> Int { failures.withLock(\.count) }
    for _ in 0..<3 { logger.info("lost") }
    #expect(count() == 1)
    #expect(failures.withLock { $0[0].contains(directory.file("log.txt")) })
    try FileManager.default.removeItem(atPath: directory.file("log.txt"))
    logger.info("kept")
    #expect(try String(decoding: directory.bytes("log.txt"), as: UTF8.self).hasSuffix("kept\n"))
    #expect(count() == 1)
  }

  // Promise: A run is never lost
  @Test(.timeLimit(.minutes(1))) func aDiskThatStandsStillDelaysNobody() throws {
    let directory = try TemporaryDirectory()
    let gate = DispatchSemaphore(value: 0)
    var operations = FileOperations.current
    let write = operations.write
    operations.write = { descriptor, bytes, offset in
      gate.wait()
      return unsafe write(descriptor, bytes, offset)
    }
    let file = LogFile(path: directory.file("log.txt"))
    FileOperations.$current.withValue(operations) {
      for number in 0..<20 { logger(file).info("message \(number)") }
    }
    #expect(try directory.bytes("log.txt").isEmpty)
    for _ in 0..<20 { gate.signal() }
    logger(file).info("last")
    var lines: [Substring] = []
    while lines.count < 21 {
      usleep(1_000)
      lines = String(decoding: try directory.bytes("log.txt"), as: UTF8.self).split(separator: "\n")
    }
    for number in 0..<20 { #expect(lines[number].hasSuffix(" info message \(number)")) }
    #expect(lines[20].hasSuffix(" info last"))
  }
}
