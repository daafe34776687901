import Basics
import Foundation
import Logging
import ModelFiles
import NTupleNetwork

/// The directory of one training run.
///
/// It contains `config.json` (resolved), `metrics.jsonl`, TensorBoard event files, `checkpoints/`,
/// `log.txt`, and a lock, so that only one process trains the run.
public struct RunDirectory: Sendable {
  /// The directory itself.
  public let path: String

  public init(path: String) {
    self.path = path
  }

  /// The name of the run under `Models/`.
  public var name: String { (path as NSString).lastPathComponent }
  /// The path of the resolved configuration.
  public var configurationPath: String { path + "/config.json" }
  /// The path of the reports, one per line.
  public var metricsPath: String { path + "/metrics.jsonl" }
  /// The path of the log.
  public var logPath: String { path + "/log.txt" }
  /// The checkpoints of the run.
  public var checkpoints: CheckpointDirectory { CheckpointDirectory(path: path + "/checkpoints") }

  /// Whether there is a run at this path.
  public var exists: Bool {
    FileManager.default.fileExists(atPath: configurationPath)
  }

  /// Returns the first of `base`, `base-2`, `base-3`, … in `directory` that does not exist.
  public static func nextFree(in directory: String, base: String) -> RunDirectory {
    let names = [base] + (2...).lazy.prefix(100_000).map { "\(base)-\($0)" }
    let free = names.first { !FileManager.default.fileExists(atPath: "\(directory)/\($0)") }
    return RunDirectory(path: "\(directory)/\(free ?? base)")
  }
}

/// The disk space that a run's checkpoints take at most, in bytes.
///
/// Weights that are still zero take no space, so early checkpoints are smaller. A number that `Int` cannot hold is the
/// largest one.
package struct DiskUse: Hashable, Sendable {
  /// One weight file.
  package let checkpoint: Int
  /// The state file with its accumulators.
  package let state: Int
  /// All files between two saves: the newest weights, the best ones, and the state.
  package let atRest: Int
  /// All files during a save, when new files exist beside those that they replace.
  package let whileSaving: Int

  /// The space for a header with its padding, and a configuration and history of any likely length.
  static let headerAllowance = 1 << 20

  /// - Parameters:
  ///   - keep: the number of newest checkpoints that are kept.
  ///   - accumulators: the number of accumulators for each weight.
  package init(shape: NetworkShape, keep: Int, accumulators: Int) {
    checkpoint = shape.byteCount + DiskUse.headerAllowance
    state = accumulators * shape.byteCount + DiskUse.headerAllowance
    // Before the memory is checked, a configuration may ask for any network.
    let (checkpoints, isTooLarge) = checkpoint.multipliedReportingOverflow(by: max(1, keep) + 1)
    atRest = DiskUse.sum(isTooLarge ? .max : checkpoints, state)
    whileSaving = DiskUse.sum(atRest, checkpoint + state)
  }

  private static func sum(_ first: Int, _ second: Int) -> Int {
    let (sum, isTooLarge) = first.addingReportingOverflow(second)
    return isTooLarge ? .max : sum
  }
}

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
  /// - Throws: `LocatedError` if the state cannot be read.
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
  /// - Throws: ``ConfigurationError`` if it is damaged, or `LocatedError` if it cannot be read.
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
