import Basics
import Checkpoints
import Configuration
import Foundation
import Logging
import ModelFiles

extension RunDirectory {
  /// The reports of the run so far.
  public var reports: [TrainingReport] { MetricsFile(path: metricsPath).reports() }

  /// Returns the reports after `episodes` episodes.
  public func reports(after episodes: Int) -> [TrainingReport] {
    MetricsFile(path: metricsPath).reports(after: episodes)
  }

  /// The last report, read without the others; nil if there is none.
  public var lastReport: TrainingReport? { MetricsFile(path: metricsPath).lastReports(1).last }

  /// Returns an estimate of the seconds from the last report to the end of the run, at the speed since the report
  /// before; nil if there is no report, or the configuration cannot be read.
  package func secondsLeft() -> Double? {
    let reports = MetricsFile(path: metricsPath).lastReports(2)
    guard let last = reports.last, let length = try? configuration().length else { return nil }
    let before = reports.count == 2 ? reports[0] : nil
    func seconds(_ report: TrainingReport) -> Double {
      report.trainingSeconds ?? report.wallSeconds
    }
    let recent = (last.episodes - (before?.episodes ?? 0), last.moves - (before?.moves ?? 0))
    let recentSeconds = seconds(last) - (before.map(seconds) ?? 0)
    guard recent.0 > 0, recent.1 > 0, recentSeconds > 0 else { return nil }
    let left = length.secondsLeft(
      episodes: last.episodes, moves: last.moves, seconds: seconds(last), recent: recent,
      in: recentSeconds)
    return left.isFinite ? left : nil
  }

  /// Returns the training up to the saved state; nil if there is none.
  ///
  /// - Throws: ``LocatedError`` if the state cannot be read.
  package func savedTraining() throws -> RunLength? {
    guard let header = try checkpoints.stateHeader() else { return nil }
    guard let state = try? RunState(text: header.text) else {
      throw LocatedError.damaged(
        header.path, "metadata key '\(MetadataKey.runState)'", "does not hold the state of a run")
    }
    return RunLength(
      episodes: state.episodes, moves: state.moves, seconds: state.secondsOfTraining)
  }

  /// Reads the configuration of the run.
  ///
  /// - Throws: ``ConfigurationError`` if it is damaged, or ``LocatedError`` if it cannot be read.
  public func configuration() throws -> TrainingConfiguration {
    var reader = ConfigurationReader()
    // No run has a pipe, and nobody waits for one.
    reader.read(try TextFile.read(configurationPath, patience: .zero), name: configurationPath)
    return try reader.finished()
  }

  /// Whether the log says that a checkpoint was saved. A log that cannot be read says nothing.
  var hasLoggedSave: Bool {
    let message = Data(" \(Logger.Level.info) \(RunWriter.savedMessage)".utf8)
    return [logPath, LogFile.formerPath(of: logPath)].contains { path in
      RunDirectory.contents(ofLog: path)?.range(of: message) != nil
    }
  }

  /// Returns the contents of a log; nil if it cannot be read, or is longer than any that a run writes.
  private static func contents(ofLog path: String) -> Data? {
    guard let file = try? InputFile(path: path), file.byteCount <= 2 * LogFile.sizeLimit
    else { return nil }
    return (try? file.bytes(at: 0, count: file.byteCount)).map { Data($0) }
  }
}
