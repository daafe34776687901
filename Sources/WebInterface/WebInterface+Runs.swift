import Basics
import Checkpoints
import Configuration
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
    /// An estimate of the seconds to the end of a run that is training; nil for others, and if nothing is known.
    let secondsLeft: Double?
  }

  /// The runs, starting with that of the latest report.
  var runList: [RunDocument] {
    runs()
      .map { (run: $0, date: $0.lastReportDate ?? .distantPast) }
      .sorted { $0.date > $1.date }
      .map { run, date in
        let age = -date.timeIntervalSinceNow
        let isTraining = age < 60
        let left = isTraining ? run.secondsLeft().map { max(0, $0 - max(0, age)) } : nil
        return RunDocument(
          name: run.name, isTraining: isTraining, last: run.lastReport, secondsLeft: left)
      }
  }

  /// Returns the reports of a run, from those after the episodes of the parameter `after` on.
  func reports(of name: String, _ query: Query) throws(RequestError) -> [TrainingReport] {
    let after = try query.optionalNumber("after") ?? -1
    return try run(name).reports(after: after)
  }

  /// Returns the configuration of a run, with every key.
  func configuration(of name: String) throws(RequestError) -> JSONValue {
    let run = try run(name)
    do {
      return try run.configuration().json
    } catch {
      throw RequestError(.unprocessableEntity, "\(error)")
    }
  }

  private func run(_ name: String) throws(RequestError) -> RunDirectory {
    guard let run = runs().first(where: { $0.name == name }) else {
      throw RequestError(.notFound, "no run '\(name)'. /api/runs lists the runs.")
    }
    return run
  }
}

extension RunDirectory {
  fileprivate var lastReportDate: Date? {
    try? FileManager.default.attributesOfItem(atPath: metricsPath)[.modificationDate] as? Date
  }
}
