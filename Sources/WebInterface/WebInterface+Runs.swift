import Checkpoints
import Foundation
import Training

extension WebInterface {
  /// A run, as the list of runs shows it.
  struct RunDocument: Encodable {
    let name: String
    /// Whether it has reported in the last minute.
    let isTraining: Bool
    /// Its last report; nil if there is none yet.
    let last: TrainingReport?
  }

  /// The runs, the one that reported last first.
  var runList: [RunDocument] {
    content.runs()
      .map { (run: $0, date: $0.lastReportDate ?? .distantPast) }
      .sorted { $0.date > $1.date }
      .map { run, date in
        RunDocument(
          name: run.name, isTraining: date.timeIntervalSinceNow > -60, last: run.lastReport)
      }
  }

  /// The reports of a run, or those after so many episodes.
  func reports(of name: String, _ query: Query) throws(RequestError) -> [TrainingReport] {
    let after = try query.optionalNumber("after") ?? -1
    guard let run = content.runs().first(where: { $0.name == name }) else {
      throw RequestError(.notFound, "there is no run \(name)")
    }
    return run.reports(after: after)
  }
}

extension RunDirectory {
  fileprivate var lastReportDate: Date? {
    try? FileManager.default.attributesOfItem(atPath: metricsPath)[.modificationDate] as? Date
  }
}
