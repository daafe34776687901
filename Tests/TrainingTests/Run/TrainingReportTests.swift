import Basics
import Foundation
import TestSupport
import Testing

@testable import Training

@Suite("The documented fields of reports")
struct TrainingReportTests {
  /// A report with every field.
  private let report = TrainingReport(
    episodes: 1, moves: 2, wallSeconds: 3, trainingSeconds: 2.5, movesPerSecond: 4, games: 1,
    meanScore: 5, maxScore: 6, reached: ["2048": 0.5], learningRate: 0.1,
    merging: TrainingReport.Merging(MergeReadings(count: 2, bytes: 3, seconds: 1), seconds: 4),
    evaluation: TrainingReport.Evaluation(games: 7, meanScore: 8, ci95: 7...9))

  private var paths: Set<String> { Set(TrainingReport.fields.flatMap(\.places).map(\.path)) }

  private func keys(_ report: TrainingReport) throws -> Set<String> {
    let line = try report.jsonLine()
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    let inner = ["evaluation", "merging"].flatMap { group in
      (object[group] as? [String: Any] ?? [:]).keys.map { "\(group).\($0)" }
    }
    return Set(object.keys).union(inner)
  }

  @Test("a report has exactly the documented keys, and fits its schema")
  func complete() throws {
    #expect(try keys(report) == paths)
    #expect(accepts(.object(TrainingReport.schema), report.json))
  }

  @Test("a report without evaluation and merges lacks only keys that are documented as optional")
  func optional() throws {
    var report = report
    (report.trainingSeconds, report.games, report.evaluation, report.merging) = (nil, nil, nil, nil)
    let required = TrainingReport.fields.filter { !$0.isOptional }.map(\.name)
    #expect(try keys(report) == Set(required))
    #expect(accepts(.object(TrainingReport.schema), report.json))
  }

  @Test("a report that was written reads the same")
  func roundTrip() throws {
    let line = try report.jsonLine()
    #expect(try JSONDecoder().decode(TrainingReport.self, from: Data(line.utf8)) == report)
  }

  @Test("every scalar of TensorBoard is that of a documented number")
  func tags() {
    let tags = paths.compactMap(TrainingReport.tag)
    #expect(Set(tags) == Set(TrainingReport.scalars.map(\.key)).union(["reached/TILE"]))
  }

  @Test("whatever report is written, is read", arguments: [0, 1, InputLimit.count.most])
  func ends(count: Int) throws {
    let directory = try TemporaryDirectory()
    let file = MetricsFile(path: directory.file("metrics.jsonl"))
    for number in [0, Double.leastNonzeroMagnitude, 1e-5, 0.1, Double(count)] {
      let share = min(1, number)
      var report = TrainingReport(
        episodes: count, moves: count, wallSeconds: number, trainingSeconds: number,
        movesPerSecond: number, games: count, meanScore: number, maxScore: count,
        reached: ["4": share, "\(1 << 31)": share], learningRate: number,
        merging: TrainingReport.Merging(
          MergeReadings(count: 1, bytes: count, seconds: number), seconds: max(1, number)),
        evaluation: TrainingReport.Evaluation(games: count, meanScore: number, ci95: 0...number))
      try file.append(Data(try report.jsonLine().utf8))
      #expect(file.lastReports(1) == [report])
      (report.trainingSeconds, report.games, report.merging, report.evaluation) = (
        nil, nil, nil, nil
      )
      try file.append(Data(try report.jsonLine().utf8))
      #expect(file.lastReports(1) == [report])
    }
    #expect(file.reports().count == 10)
  }
}
