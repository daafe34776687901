import Foundation

/// The right to work on a run directory, held by one process at a time.
///
/// It consists of operating-system locks on the directory itself and on the file `lock` in it. The system
/// releases them however the process ends, so locks never become stale. The file can be deleted, and the
/// lock on the directory remains; some network file systems can lock only files. The file holds the
/// process identifier, which other processes report. The lock is held as long as the object lives.
///
/// Thread safety: immutable after creation.
package final class DirectoryLock: Sendable {
  package let path: String
  let directory: Int32
  let descriptor: Int32

  /// Takes the lock.
  ///
  /// - Throws: ``LocatedError``, of kind `locked` if this or another process holds it.
  package init(run directory: String) throws {
    path = (directory as NSString).appendingPathComponent("lock")
    let path = path
    var opened: [Int32] = []
    do {
      let directoryLock = try writing(path, "create the lock") {
        try retrying { unsafe open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
      }
      opened.append(directoryLock)
      // Not every file system can lock a directory; the file decides there.
      guard (try? DirectoryLock.lock(directoryLock)) ?? true else {
        throw DirectoryLock.inUse(directory, holder: path)
      }
      // A link in a directory of somebody else could lead to any file, which would be truncated.
      var status = stat()
      if unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
        throw LocatedError(
          .cannotCreate, path: path, "is not a regular file", remedy: "remove it")
      }
      let file = try writing(path, "create the lock") {
        try retrying { unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o666) }
      }
      opened.append(file)
      guard try writing(path, "take the lock", { try DirectoryLock.lock(file) }) else {
        throw DirectoryLock.inUse(directory, holder: path)
      }
      (self.directory, descriptor) = (directoryLock, file)
    } catch {
      opened.forEach(DirectoryLock.unlock)
      throw error
    }
    let text = Array("\(getpid())\n".utf8)
    // The identifier is for messages only, so a full disk does not matter here.
    if ftruncate(descriptor, 0) == 0 {
      _ = unsafe text.withUnsafeBytes { unsafe pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    }
  }

  deinit {
    _ = ftruncate(descriptor, 0)
    [descriptor, directory].forEach(DirectoryLock.unlock)
  }

  /// Locks an open file or directory; returns false if another holds the lock.
  private static func lock(_ descriptor: Int32) throws(SystemError) -> Bool {
    do {
      try retrying { flock(descriptor, LOCK_EX | LOCK_NB) }
      return true
    } catch {
      guard error.code == EWOULDBLOCK else { throw error }
      return false
    }
  }

  /// Releases the lock of an open file or directory, if it has one, and closes it.
  ///
  /// A process that is about to start has copies of all descriptors, so closing alone may leave the lock for a moment.
  private static func unlock(_ descriptor: Int32) {
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  private static func inUse(_ directory: String, holder path: String) -> LocatedError {
    let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    let number = Int(text.trimmingCharacters(in: .whitespacesAndNewlines))
    return LocatedError(
      .locked, path: directory,
      "is in use by \(number.map { "process \($0)" } ?? "another process")",
      remedy: "wait until it has ended, or stop it")
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
