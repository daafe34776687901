import Foundation
import Logging
import Play
import TestSupport
import Testing

@testable import Basics
@testable import Training

/// States with valid checksums that no run can be in.
@Suite struct SavedStateLimitTests {
  private let root: TemporaryDirectory
  private let directory: RunDirectory
  private var configuration = TrainingConfiguration()

  init() throws {
    root = try TemporaryDirectory()
    directory = RunDirectory(path: root.file("run"))
    configuration.patterns = ["01"]
    configuration.episodes = 2
    let run = try TrainingRun.start(in: directory, configuration: configuration)
    let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    _ = try run.train(logger: silent, evaluate: GreedyEvaluation.play) { _ in }
    configuration.episodes = 10
  }

  /// Resumes the run after setting a number of its saved state.
  private func resume(_ path: [String], _ value: Any) throws -> TrainingRun {
    try rewriteMetadata(of: directory.checkpoints.statePath) { fields in
      let state = try! JSONSerialization.jsonObject(with: Data(fields["runState"]!.utf8))
      let changed = SavedStateLimitTests.setting(path[...], of: state, to: value)
      fields["runState"] = String(
        decoding: try! JSONSerialization.data(withJSONObject: changed), as: UTF8.self)
    }
    return try TrainingRun.resume(in: directory, configuration: configuration)
  }

  private static func setting(_ path: ArraySlice<String>, of document: Any, to value: Any) -> Any {
    guard let key = path.first else { return value }
    if var list = document as? [Any] {
      list[Int(key)!] = setting(path.dropFirst(), of: list[Int(key)!], to: value)
      return list
    }
    var members = document as! [String: Any]
    members[key] = setting(path.dropFirst(), of: members[key] ?? [:], to: value)
    return members
  }

  // Promise: Files from others do no harm
  @Test(
    arguments: [
      ["sinceReport", "endedAt", "11"], ["sinceReport", "endedAt", "31"], ["sinceReport", "moves"],
      ["sinceReport", "scoreSum"], ["sinceReport", "episodes"], ["sinceReport", "games"],
      ["sinceReport", "maxScore"], ["moves"], ["averaged"], ["selfPlay", "players", "0", "score"],
      ["selfPlay", "players", "0", "moves"],
    ], [Int.max, (1 << 62) - 1, (1 << 53) + 1, -1])
  func aCountThatCouldOverflowIsRejected(path: [String], value: Int) throws {
    let error = locatedError { _ = try resume(path, value) }
    #expect(error?.kind == .unsuitableData, "\(path)")
    #expect(error?.place == "metadata key 'runState'")
  }

  @Test func theLargestCountsDoNotOverflow() throws {
    let run = try resume(["sinceReport", "endedAt"], Array(repeating: 1 << 53, count: 32))
    #expect(run.monitor.progress.recent.reachRate(exponent: 11) > 1e15)
  }
}
