import Basics
import Checkpoints
import Foundation

/// A run in a list of runs.
public struct RunSummary: Encodable, Sendable {
  /// The name of the run under `Models/`.
  public let name: String
  /// Whether a process is training the run now.
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
      .map { RunSummary($0.run, reported: $0.date) }
  }

  /// - Parameter reported: The time of the last report.
  private init(_ run: RunDirectory, reported: Date) {
    let began = DirectoryLock.heldSince(run.path)
    name = run.name
    isTraining = began != nil
    last = run.lastReport
    bestMeanScore = (try? run.checkpoints.best())?.meanScore
    secondsLeft = began.flatMap { began in
      // A run that has been resumed has not gone on from its last report before that.
      let elapsed = -max(began, reported).timeIntervalSinceNow
      return run.secondsLeft().map { max(0, $0 - max(0, elapsed)) }
    }
  }
}

extension RunDirectory {
  fileprivate var lastReportDate: Date? {
    try? FileManager.default.attributesOfItem(atPath: metricsPath)[.modificationDate] as? Date
  }
}
