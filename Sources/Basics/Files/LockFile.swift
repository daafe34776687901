import Foundation
import Synchronization

/// The right to use something, held by one process at a time.
///
/// It is an operating-system lock on a file made for it. The system releases it however the process ends, so it never
/// becomes stale. The file holds the process identifier, which other processes report. It is removed with the object; a
/// process that is killed leaves it behind, without a lock.
///
/// Thread safety: immutable after creation.
package final class LockFile: Sendable {
  package let path: String
  let descriptor: Int32

  /// A lock that is held.
  private typealias Held = (path: String, descriptor: Int32)

  /// All locks that are held, by number. The system gives descriptors again.
  private static let held = Mutex<[Int: Held]>([:])
  private static let counter = Atomic(0)
  private let number = LockFile.counter.add(1, ordering: .relaxed).newValue

  /// Takes the lock.
  ///
  /// - Parameters:
  ///   - path: The file made for the lock.
  ///   - used: What the lock is for, which an error names.
  /// - Throws: ``LocatedError``, of kind `locked` if this or another process holds it.
  package init(path: String, for used: String) throws {
    var descriptor: Int32?
    while descriptor == nil { descriptor = try LockFile.create(path, for: used) }
    (self.path, self.descriptor) = (path, descriptor!)
    LockFile.held.withLock { [number] in $0[number] = (path, descriptor!) }
    let text = Array("\(getpid())\n".utf8)
    // The identifier is for messages only, so a full disk does not matter here.
    if ftruncate(self.descriptor, 0) == 0 {
      _ = unsafe text.withUnsafeBytes {
        unsafe pwrite(self.descriptor, $0.baseAddress, $0.count, 0)
      }
    }
  }

  deinit { release() }

  /// Releases the lock, and removes the file, before the object goes.
  package func release() { LockFile.release(number) }

  /// Releases all locks before the program exits, whoever still holds their objects.
  package static func releaseAll() {
    for number in held.withLock({ Array($0.keys) }) { release(number) }
  }

  private static func release(_ number: Int) {
    guard let (path, descriptor) = held.withLock({ $0.removeValue(forKey: number) }) else { return }
    // While it is locked, and unless another file has taken its place.
    if isFile(descriptor, at: path) { _ = unsafe unlink(path) }
    unlock(descriptor)
  }

  /// Returns the path of the lock file for a file.
  package static func path(for file: String) -> String {
    let directory = parentDirectory(of: file) as NSString
    return directory.appendingPathComponent(".\((file as NSString).lastPathComponent).lock")
  }

  /// Returns when the process that holds a lock took it; nil if none does.
  package static func heldSince(_ path: String) -> Date? {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    // Other readers may ask at the same time.
    if flock(descriptor, LOCK_SH | LOCK_NB) == 0 {
      flock(descriptor, LOCK_UN)
      return nil
    }
    guard errno == EWOULDBLOCK else { return nil }
    return try? FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
  }

  /// Creates the file unless it exists, and locks it; returns nil if it was removed in between.
  private static func create(_ path: String, for used: String) throws -> Int32? {
    // A link in a directory of somebody else could lead to any file, which would be truncated.
    var status = stat()
    if unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      throw LocatedError(.cannotCreate, path: path, "is not a regular file", remedy: "remove it")
    }
    let descriptor = try writing(path, "create the lock") {
      try retrying { unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o666) }
    }
    do {
      guard try writing(path, "take the lock", { try lockAfterProbes(descriptor) }) else {
        throw inUse(used, holder: path)
      }
    } catch {
      close(descriptor)
      throw error
    }
    if isFile(descriptor, at: path) { return descriptor }
    unlock(descriptor)
    return nil
  }

  /// Locks an open file; returns false if another process holds the lock for longer than ``heldSince(_:)`` does.
  private static func lockAfterProbes(_ descriptor: Int32) throws(SystemError) -> Bool {
    for _ in 0..<5 {
      if try lock(descriptor) { return true }
      usleep(10_000)
    }
    return try lock(descriptor)
  }

  /// Locks an open file or directory; returns false if another holds the lock.
  static func lock(_ descriptor: Int32) throws(SystemError) -> Bool {
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
  static func unlock(_ descriptor: Int32) {
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  /// Whether the file at a path is an open one.
  private static func isFile(_ descriptor: Int32, at path: String) -> Bool {
    var (opened, named) = (stat(), stat())
    return unsafe fstat(descriptor, &opened) == 0 && lstat(path, &named) == 0
      && opened.st_dev == named.st_dev && opened.st_ino == named.st_ino
  }

  /// Returns the error for what another process uses.
  static func inUse(_ used: String, holder path: String) -> LocatedError {
    let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    let number = Int(text.trimmingCharacters(in: .whitespacesAndNewlines))
    return LocatedError(
      .locked, path: used, "is in use by \(number.map { "process \($0)" } ?? "another process")",
      remedy: "wait until it has ended, or stop it")
  }
}

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
