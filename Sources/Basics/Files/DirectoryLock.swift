import Foundation

/// The right to work in a directory, for example on a run, held by one process at a time.
///
/// It consists of an operating-system lock on the directory itself and a ``LockFile`` in it, named `lock`. The file can
/// be deleted, and the lock on the directory remains; some network file systems can lock only files. The lock is held
/// as long as the object lives.
///
/// Thread safety: immutable after creation.
package final class DirectoryLock: Sendable {
  let file: LockFile
  let directory: Int32

  /// Takes the lock.
  ///
  /// - Throws: ``LocatedError``, of kind `locked` if this or another process holds it.
  package init(run directory: String) throws {
    let path = DirectoryLock.path(in: directory)
    let descriptor = try writing(path, "create the lock") {
      try retrying { unsafe open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    }
    do {
      // Not every file system can lock a directory; the file decides there.
      guard (try? LockFile.lock(descriptor)) ?? true else {
        throw LockFile.inUse(directory, holder: path)
      }
      file = try LockFile(path: path, for: directory)
    } catch {
      LockFile.unlock(descriptor)
      throw error
    }
    self.directory = descriptor
  }

  deinit { LockFile.unlock(directory) }

  /// Returns when the process that works in a directory took its lock; nil if none does, or the file was deleted.
  package static func heldSince(_ directory: String) -> Date? {
    LockFile.heldSince(path(in: directory))
  }

  private static func path(in directory: String) -> String {
    (directory as NSString).appendingPathComponent("lock")
  }
}

/// Creates a directory unless it exists, locks it, and lets `fill` fill it, which may keep the lock.
///
/// - Throws: the error of `fill`; ``LocatedError``. A directory that this call created is removed then, while
///   no other process can use it.
package func fillNewDirectory<Result>(
  at path: String, _ fill: (DirectoryLock) throws -> Result
) throws -> Result {
  let created = try createDirectories(at: path)
  var lock: DirectoryLock?
  defer { withExtendedLifetime(lock) {} }
  do {
    let taken = try DirectoryLock(run: path)
    lock = taken
    return try fill(taken)
  } catch {
    // A process that holds the lock uses the directory.
    if !created.isEmpty, (error as? LocatedError)?.kind != .locked {
      try? FileManager.default.removeItem(atPath: path)
      removeEmpty(created.dropLast())
    }
    throw error
  }
}
