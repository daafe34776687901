import Foundation
import TestSupport
import Testing

@testable import Basics

@Suite struct InputLimitTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  @Test func aLimitIsTheLargestCount() throws {
    #expect(InputLimit.text.allows(1 << 20) && !InputLimit.text.allows((1 << 20) + 1))
    #expect(!InputLimit.text.allows(-1))
    let error = locatedError { try InputLimit.variants.require(1_001, path: "plan", place: "grid") }
    #expect(
      error?.description == "plan: grid: exceeds the limit for a plan: 1,000 variants. "
        + "Docs/Reference/Limits.md lists the limits.")
    #expect(error?.kind == .unsuitableData)
  }

  @Test func aLimitCanGrowWithTheFile() {
    let limit = InputLimit.compactEntries
    #expect(limit.allows((1 << 30) + 40_960, fileBytes: 10))
    #expect(!limit.allows((1 << 30) + 40_961, fileBytes: 10))
    #expect(limit.allows(.max, fileBytes: .max))
  }

  // MARK: Texts

  // Promise: Files from others do no harm
  @Test func endlessInputIsRejected() {
    let error = locatedError { _ = try TextFile.read("/dev/zero") }
    #expect(error?.kind == .unsuitableData)
    #expect(error?.problem.contains("1 MiB") == true)
  }

  @Test func aTextOfTheLargestLengthIsRead() throws {
    try directory.write([UInt8](repeating: 0x20, count: 1 << 20), "text")
    #expect(try TextFile.read(directory.file("text")).count == 1 << 20)
    try directory.write([UInt8](repeating: 0x20, count: (1 << 20) + 1), "text")
    #expect(locatedError { _ = try TextFile.read(directory.file("text")) }?.kind == .unsuitableData)
  }

  @Test func aPipeWithoutAWriterIsGivenUp() throws {
    let pipe = directory.file("pipe")
    try #require(mkfifo(pipe, 0o600) == 0)
    let error = locatedError { _ = try TextFile.read(pipe, patience: .milliseconds(20)) }
    #expect(error?.kind == .missingInput)
    #expect(error?.problem == "is a pipe into which nothing writes")
  }

  @Test func linesEndInThreeWays() throws {
    func lines(_ text: String) throws -> [String] {
      try TextFile.lines(of: Data(text.utf8), limit: .boardLine, name: "x")
        .map { "\($0.number) \($0.text)" }
    }
    #expect(try lines("a\nb\r\n\r\n c \rd\n\n") == ["1 a", "2 b", "4 c", "5 d"])
    #expect(try lines("") == [])
    let longest = String(repeating: "x", count: 1_024)
    #expect(try lines("a\n\(longest)") == ["1 a", "2 \(longest)"])
    #expect(locatedError { _ = try lines("a\nx\(longest)") }?.place == "line 2")
  }

  // MARK: Work

  @Test func aJSONDocumentHasALimitedNumberOfValues() throws {
    func array(_ count: Int) -> [UInt8] {
      Array(("[" + String(repeating: "1,", count: count - 1) + "1]").utf8)
    }
    #expect(try JSONParser.parse(array((1 << 20) - 1)).array?.count == (1 << 20) - 1)
    #expect(throws: JSONSyntaxError.self) { try JSONParser.parse(array(1 << 20)) }
  }

  @Test func aLongNameIsNotCompared() {
    let name = String(repeating: "x", count: 1_000_000)
    let began = ContinuousClock.now
    #expect(nearestName(to: name, in: Array(repeating: "threads", count: 1_000)) == nil)
    #expect(began.duration(to: .now) < .seconds(5))
  }
}

@Suite struct PrintableTextTests {
  // Promise: Files from others do no harm
  @Test func whatSteersATerminalIsEscaped() {
    #expect("\u{1B}[2Jä\t😀".printable() == "\\u001B[2Jä\t😀")
    #expect(
      "a\nb\r\u{7F}\u{9B}\u{202E}\u{2066}".printable()
        == "a\\u000Ab\\u000D\\u007F\\u009B\\u202E\\u2066")
    #expect("a\nb\r".printable(keepsLines: true) == "a\nb\\u000D")
  }

  @Test func aLongTextLosesItsMiddle() {
    let text = String(repeating: "a", count: 1_000)
    #expect(text.shortened == text)
    let long = ("b" + text + text + "c").shortened
    #expect(long.count < 1_100 && long.contains("… (1002 characters) …"))
    #expect(long.hasPrefix("ba") && long.hasSuffix("ac"))
  }

  @Test func errorsAreOneShortPrintableLine() {
    let error = LocatedError.damaged(
      "x", "key '\n\u{1B}c'", "is '\(String(repeating: "y", count: 100_000))'")
    #expect(error.description.hasPrefix("x: key '\\u000A\\u001Bc': is 'yyy"))
    #expect(error.description.utf8.count < 2_000)
  }
}
