import Foundation
import NTupleNetwork
import TestSupport
import Testing

@testable import Basics
@testable import ModelFiles

/// Files that are valid but for what they claim.
@Suite struct LimitTests {
  private let directory: TemporaryDirectory
  private var path: String { directory.file("file") }

  init() throws { directory = try TemporaryDirectory() }

  private func writeWeights(_ change: (inout [String: String]) -> Void) throws {
    try WeightFile.write(NTupleNetwork(shape("0")), metadata: someMetadata, to: path)
    try rewriteMetadata(of: path, change)
  }

  private static func segment(
    _ episodes: Int, _ moves: Int, _ seconds: Double = 0
  ) -> TrainingSegment {
    TrainingSegment(
      episodes: episodes, moves: moves, seed: 0, wallSeconds: seconds, version: "")
  }

  private static let impossibleHistories: [[TrainingSegment]] = [
    [segment(1, (1 << 53) + 1)], [segment(1 << 53, 1), segment(1, 1)], [segment(-1, 1)],
    [segment(1, -1)], [segment(1, 1, -1)], [segment(1, 1, 1e308), segment(1, 1, 1e308)],
    Array(repeating: segment(0, (1 << 48) - 1), count: 32_769),
  ]

  @Test(arguments: impossibleHistories)
  func anImpossibleHistoryIsRejected(segments: [TrainingSegment]) throws {
    #expect(!segments.arePossible)
    try writeWeights { fields in
      fields["history"] = try? segments.metadataText("history", path: "")
    }
    let error = locatedError { _ = try WeightFile.readHeader(path) }
    #expect(error?.place == "metadata key 'history'")
  }

  @Test func theLargestHistoryIsRead() throws {
    let segment = TrainingSegment(
      episodes: 1 << 52, moves: 1 << 52, seed: 0, wallSeconds: 1e300, version: "")
    #expect([segment, segment].arePossible)
    #expect(![segment, segment, segment].arePossible)
    try writeWeights { $0["history"] = try? [segment, segment].metadataText("history", path: "") }
    #expect(try WeightFile.readHeader(path).metadata.history == [segment, segment])
  }

  @Test(
    arguments: ["episodes", "moves"], ["-1", "9007199254740993", "9223372036854775807", "1e3"])
  func anImpossibleCountIsRejected(key: String, value: String) throws {
    try writeWeights { $0[key] = value }
    let error = locatedError { _ = try WeightFile.readHeader(path) }
    #expect(error?.place == "metadata key '\(key)'")
  }

  @Test func aLongHeaderIsRejected() throws {
    try writeWeights { $0["config"] = String(repeating: "x", count: 4 << 20) }
    let error = locatedError { _ = try WeightFile.readHeader(path) }
    #expect(error?.problem == "exceeds the limit for the header of a weight file: 4 MiB")
    // And none is written.
    var metadata = someMetadata
    metadata.config = String(repeating: "x", count: 4 << 20)
    #expect(throws: LocatedError.self) {
      try WeightFile.write(NTupleNetwork(shape("0")), metadata: metadata, to: path)
    }
  }

  @Test func aFewBytesDoNotStandForBillionsOfEntries() throws {
    try CompactFile.write(NTupleNetwork(shape("0")), metadata: someMetadata, bits: 8, to: path)
    try rewriteMetadata(of: path) { $0["patterns"] = #"["01234567"]"# }
    let error = locatedError { _ = try WeightFile.verify(path) }
    #expect(error?.place == "metadata key 'patterns'")
    #expect(error?.problem.contains("1,073,741,824 entries, and 4,096 per byte") == true)
  }

  // MARK: TDL2048+

  private func number(_ value: UInt64, bytes: Int) -> [UInt8] {
    (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private func file(patterns: UInt64, furtherTables: Int) -> [UInt8] {
    [0] + number(patterns, bytes: 4) + [4] + number(0, bytes: 4) + number(1, bytes: 2)
      + number(0, bytes: 2) + number(4, bytes: 2) + number(16, bytes: 8)
      + [UInt8](repeating: 0, count: 64)
      + (0..<furtherTables).flatMap { _ in number(4, bytes: 2) + number(0, bytes: 8) } + [0, 0]
  }

  @Test func emptyTablesAreNotCountedForever() throws {
    try directory.write(file(patterns: 1, furtherTables: 64), "file")
    #expect(try TDL2048File.readHeader(path).hasFurtherTables)
    try directory.write(file(patterns: 1, furtherTables: 65), "file")
    let error = locatedError { _ = try TDL2048File.readHeader(path) }
    #expect(error?.problem.contains("64 further tables") == true)
  }

  @Test func billionsOfPatternsAreRejectedAtOnce() throws {
    try directory.write(file(patterns: 1 << 31, furtherTables: 0), "file")
    let error = locatedError { _ = try TDL2048File.readHeader(path) }
    #expect(error?.problem.contains("1,024 patterns") == true)
  }
}
