import Foundation

/// The right to work on a run directory, held by one process at a time.
///
/// It is an operating-system lock on the file `lock` in the directory. The system releases it however the
/// process ends, so locks never become stale. The file holds the process identifier, which other processes
/// report. The lock is held as long as the object lives.
///
/// Thread safety: immutable after creation.
package final class DirectoryLock: Sendable {
  package let path: String
  private let descriptor: Int32

  /// Takes the lock.
  ///
  /// - Throws: ``LocatedError``, of kind `locked` if this or another process holds it.
  package init(run directory: String) throws {
    path = (directory as NSString).appendingPathComponent("lock")
    let path = path
    do {
      descriptor = try retrying { unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o666) }
    } catch let error {
      throw error.writing(path, "create the lock")
    }
    let lock = descriptor
    do {
      try retrying { flock(lock, LOCK_EX | LOCK_NB) }
    } catch let error {
      defer { close(lock) }
      guard error.code == EWOULDBLOCK else { throw error.writing(path, "take the lock") }
      throw LocatedError(
        .locked, path: directory, "is in use by \(DirectoryLock.holder(lock))",
        remedy: "wait until it has ended, or stop it")
    }
    let text = Array("\(getpid())\n".utf8)
    // The identifier is for messages only, so a full disk does not matter here.
    if ftruncate(descriptor, 0) == 0 {
      _ = unsafe text.withUnsafeBytes { unsafe pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    }
  }

  deinit {
    _ = ftruncate(descriptor, 0)
    close(descriptor)
  }

  private static func holder(_ descriptor: Int32) -> String {
    var bytes = [UInt8](repeating: 0, count: 20)
    let count = unsafe bytes.withUnsafeMutableBytes {
      unsafe pread(descriptor, $0.baseAddress, $0.count, 0)
    }
    let text = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    guard let number = Int(text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
      return "another process"
    }
    return "process \(number)"
  }
}
