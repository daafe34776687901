import Foundation

/// The files of one training run.
///
/// `config.json` (resolved), `metrics.jsonl`, TensorBoard event files, `checkpoints/`, `log.txt`, and
/// the lock that keeps two processes from training the same run.
public struct RunDirectory: Sendable {
  /// The directory itself.
  public let path: String

  public init(path: String) {
    self.path = path
  }

  /// What it is called under `Models/`.
  public var name: String { (path as NSString).lastPathComponent }
  public var configurationPath: String { path + "/config.json" }
  public var metricsPath: String { path + "/metrics.jsonl" }
  public var logPath: String { path + "/log.txt" }
  public var checkpoints: CheckpointDirectory { CheckpointDirectory(path: path + "/checkpoints") }

  /// Whether there is a run at this path.
  public var exists: Bool {
    FileManager.default.fileExists(atPath: configurationPath)
  }

  /// The first of `base`, `base-2`, `base-3`, … in `directory` that is not taken.
  public static func nextFree(in directory: String, base: String) -> RunDirectory {
    let names = [base] + (2...).lazy.prefix(100_000).map { "\(base)-\($0)" }
    let free = names.first { !FileManager.default.fileExists(atPath: "\(directory)/\($0)") }
    return RunDirectory(path: "\(directory)/\(free ?? base)")
  }
}
