import Foundation

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
