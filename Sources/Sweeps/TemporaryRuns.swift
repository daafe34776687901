import Basics
import Foundation

/// A directory for the runs of a rank other than 0, which is removed with the object.
///
/// A process that is killed cannot remove it. So its lock shows that it is in use, and the next job on the machine
/// removes those whose lock is free.
final class TemporaryRuns {
  let path: String
  private let lock: DirectoryLock

  private static let prefix = "learn2048-sweep-"

  /// Creates a directory in `parent`, and removes those that killed processes left there.
  ///
  /// - Throws: ``LocatedError``.
  init(in parent: String) throws {
    TemporaryRuns.removeStale(in: parent)
    while true {
      let path = "\(parent)/\(TemporaryRuns.prefix)\(UUID())"
      try createDirectory(at: path)
      do {
        lock = try DirectoryLock(run: path)
        self.path = path
        return
      } catch {
        // Before the lock, another rank can take the directory for one that was left.
        let isTaken =
          (error as? LocatedError)?.kind == .locked || !FileManager.default.fileExists(atPath: path)
        guard !isTaken else { continue }
        try? FileManager.default.removeItem(atPath: path)
        throw error
      }
    }
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  private static func removeStale(in parent: String) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
    for name in names where name.hasPrefix(prefix) {
      let path = "\(parent)/\(name)"
      // Others may write to `parent`, too: what is theirs, or a link, is left alone.
      var status = stat()
      guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR,
        status.st_uid == geteuid(), let lock = try? DirectoryLock(run: path)
      else { continue }
      withExtendedLifetime(lock) { try? FileManager.default.removeItem(atPath: path) }
    }
  }
}
