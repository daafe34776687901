import Checkpoints
import Foundation

/// A run in a list of runs.
public struct RunSummary: Encodable, Sendable {
  /// The name of the run under `Models/`.
  public let name: String
  /// Whether the last report is less than a minute old.
  public let isTraining: Bool
  /// The last report; nil if there is none yet.
  public let last: TrainingReport?
  /// The mean score of the best evaluation, in points; nil if there is none.
  public let bestMeanScore: Double?
  /// An estimate of the seconds to the end of a run that is training; nil for others, and if nothing is known.
  public let secondsLeft: Double?

  /// Returns the summaries of runs, starting with that of the latest report.
  public static func all(_ runs: [RunDirectory]) -> [RunSummary] {
    runs.map { (run: $0, date: $0.lastReportDate ?? .distantPast) }
      .sorted { $0.date > $1.date }
      .map { RunSummary($0.run, age: -$0.date.timeIntervalSinceNow) }
  }

  /// - Parameter age: The seconds since the last report.
  private init(_ run: RunDirectory, age: Double) {
    name = run.name
    isTraining = age < 60
    last = run.lastReport
    bestMeanScore = (try? run.checkpoints.best())?.meanScore
    secondsLeft = isTraining ? run.secondsLeft().map { max(0, $0 - max(0, age)) } : nil
  }
}

extension RunDirectory {
  fileprivate var lastReportDate: Date? {
    try? FileManager.default.attributesOfItem(atPath: metricsPath)[.modificationDate] as? Date
  }
}
