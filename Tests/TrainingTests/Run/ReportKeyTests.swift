import Foundation
import Testing

@testable import Training

@Suite("The documented keys of reports")
struct ReportKeyTests {
  /// A report with every key.
  private let report = TrainingReport(
    episodes: 1, moves: 2, wallSeconds: 3, trainingSeconds: 2.5, movesPerSecond: 4, games: 1,
    meanScore: 5, maxScore: 6, reached: ["2048": 0.5], learningRate: 0.1,
    merging: TrainingReport.Merging(MergeReadings(count: 2, bytes: 3, seconds: 1), seconds: 4),
    evaluation: TrainingReport.Evaluation(games: 7, meanScore: 8, ci95: 7...9))

  private func keys(_ report: TrainingReport) throws -> Set<String> {
    let line = try report.jsonLine()
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    let inner = ["evaluation", "merging"].flatMap { group in
      (object[group] as? [String: Any] ?? [:]).keys.map { "\(group).\($0)" }
    }
    return Set(object.keys).union(inner)
  }

  @Test("a report has exactly the documented keys")
  func complete() throws {
    #expect(try keys(report) == Set(ReportKey.all.map(\.path)))
  }

  @Test("a report without evaluation and merges lacks only keys that are documented as optional")
  func optional() throws {
    var report = report
    (report.trainingSeconds, report.games, report.evaluation, report.merging) = (nil, nil, nil, nil)
    let required = ReportKey.all.filter { key in
      !key.isOptional && !["evaluation.", "merging."].contains(where: key.path.hasPrefix)
    }
    #expect(try keys(report) == Set(required.map(\.path)))
  }
}
