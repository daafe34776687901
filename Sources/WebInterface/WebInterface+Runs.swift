import Checkpoints
import Foundation
import Training

extension WebInterface {
  /// A run in the list of runs.
  struct RunDocument: Encodable {
    let name: String
    /// Whether the last report is less than a minute old.
    let isTraining: Bool
    /// The last report; nil if there is none yet.
    let last: TrainingReport?
  }

  /// The runs, starting with that of the latest report.
  var runList: [RunDocument] {
    content.runs()
      .map { (run: $0, date: $0.lastReportDate ?? .distantPast) }
      .sorted { $0.date > $1.date }
      .map { run, date in
        RunDocument(
          name: run.name, isTraining: date.timeIntervalSinceNow > -60, last: run.lastReport)
      }
  }

  /// Returns the reports of a run, from those after the episodes of the parameter `after` on.
  func reports(of name: String, _ query: Query) throws(RequestError) -> [TrainingReport] {
    let after = try query.optionalNumber("after") ?? -1
    guard let run = content.runs().first(where: { $0.name == name }) else {
      throw RequestError(.notFound, "no run '\(name)'. /api/runs lists the runs.")
    }
    return run.reports(after: after)
  }
}

extension RunDirectory {
  fileprivate var lastReportDate: Date? {
    try? FileManager.default.attributesOfItem(atPath: metricsPath)[.modificationDate] as? Date
  }
}
