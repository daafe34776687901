import Foundation
import Testing

@testable import Training

@Suite("The documented keys of reports")
struct ReportKeyTests {
  /// A report with every key.
  private let report = TrainingReport(
    episodes: 1, moves: 2, wallSeconds: 3, trainingSeconds: 2.5, movesPerSecond: 4, games: 1,
    meanScore: 5, maxScore: 6, reached: ["2048": 0.5], learningRate: 0.1,
    evaluation: TrainingReport.Evaluation(games: 7, meanScore: 8, ci95: 7...9))

  private func keys(_ report: TrainingReport) throws -> Set<String> {
    let line = try report.jsonLine()
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    let evaluation = object["evaluation"] as? [String: Any] ?? [:]
    return Set(object.keys).union(evaluation.keys.map { "evaluation." + $0 })
  }

  @Test("a report has exactly the documented keys")
  func complete() throws {
    #expect(try keys(report) == Set(ReportKey.all.map(\.path)))
  }

  @Test("a report without an evaluation lacks only keys that are documented as optional")
  func optional() throws {
    var report = report
    (report.trainingSeconds, report.games, report.evaluation) = (nil, nil, nil)
    let required = ReportKey.all.filter { !$0.isOptional && !$0.path.hasPrefix("evaluation.") }
    #expect(try keys(report) == Set(required.map(\.path)))
  }
}
