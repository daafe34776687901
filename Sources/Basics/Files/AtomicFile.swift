import Foundation
import Synchronization

/// A file that appears under its name complete and durable, or not at all.
///
/// The content goes to a temporary file in the same directory. ``commit(as:)`` flushes it to the disk,
/// renames it into place and flushes the directory; until then, and after any error, the file that
/// had the name before is untouched. Without a commit the temporary file is removed with the object; one
/// that a killed process left behind is removed by the next writer of the file, or by
/// ``Temporaries/removeStale(in:)``.
///
/// Thread safety: any thread may call, one at a time.
package final class AtomicFile: Sendable {
  /// The destination, with a symbolic link at its end resolved.
  package let path: String
  private let temporary: String
  private let descriptor: Int32
  /// The system calls of the task that creates the file, whichever thread commits it.
  private let operations = FileOperations.current
  private let isCommitted = Atomic(false)

  private static let counter = Atomic<Int>(0)

  /// The size of the aligned blocks that are left out when they are all zero, in bytes.
  private static let holeGranularity = 4096

  /// Creates the temporary file.
  ///
  /// - Throws: ``LocatedError``.
  package init(path: String) throws {
    self.path = try AtomicFile.destination(path)
    Temporaries.removeStale(for: self.path)
    var created: (path: String, descriptor: Int32)?
    while created == nil { created = try AtomicFile.createTemporary(for: self.path, operations) }
    (temporary, descriptor) = created!
  }

  /// Creates and locks a temporary file; returns nil if another process has one of the same name, or a cleaner has
  /// removed it in between.
  private static func createTemporary(
    for path: String, _ operations: FileOperations
  ) throws -> (path: String, descriptor: Int32)? {
    let number = AtomicFile.counter.add(1, ordering: .relaxed).newValue
    let temporary = Temporaries.path(for: path, number: number)
    let descriptor: Int32
    do {
      descriptor = try retrying { operations.open(temporary, O_WRONLY | O_CREAT | O_EXCL) }
    } catch {
      // Process identifiers repeat in containers, so the file may be in use. Otherwise, it is removed when it is stale.
      if error.code == EEXIST { return nil }
      throw error.writing(path, "create the file")
    }
    // The lock tells cleaners that the file is in use; where locks are not supported, it is the
    // cleaners that leave the file alone.
    _ = flock(descriptor, LOCK_EX | LOCK_NB)
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_nlink == 0 else {
      return (temporary, descriptor)
    }
    close(descriptor)
    return nil
  }

  deinit {
    // Before the lock is released, because the name may belong to another process then.
    if !isCommitted.load(ordering: .relaxed) { _ = operations.remove(temporary) }
    close(descriptor)
  }

  /// Returns the path to write to, since renaming must not replace a link or a device.
  ///
  /// - Throws: ``LocatedError`` if there is something else than a file.
  @discardableResult
  package static func destination(_ path: String) throws -> String {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return path }
    guard status.st_mode & S_IFMT == S_IFREG else {
      let isDirectory = status.st_mode & S_IFMT == S_IFDIR
      throw LocatedError(
        .cannotCreate, path: path, isDirectory ? "is a directory" : "is not a regular file",
        remedy: "choose another name")
    }
    guard let resolved = unsafe realpath(path, nil) else { return path }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }

  /// Writes all of `bytes` at `offset`.
  package func write(_ bytes: [UInt8], at offset: Int) throws {
    unsafe try bytes.withUnsafeBytes { unsafe try write($0, at: offset) }
  }

  /// Writes all of `bytes` at `offset`.
  package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws {
    try writing(path, "write \(byteText(bytes.count)) at byte \(offset)") {
      unsafe try operations.writeAll(bytes, to: descriptor, at: offset)
    }
  }

  /// Writes `bytes` at `offset` except blocks of zeros, which become holes.
  ///
  /// - Precondition: nothing has been written there, and ``setLength(_:)`` follows.
  package func writeSkippingZeros(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws {
    let granularity = AtomicFile.holeGranularity
    var pendingStart: Int?
    var start = 0
    while start < bytes.count {
      let end = min(bytes.count, start + granularity - (offset + start) % granularity)
      if unsafe isZero(UnsafeRawBufferPointer(rebasing: bytes[start..<end])) {
        if let first = pendingStart {
          unsafe try write(
            UnsafeRawBufferPointer(rebasing: bytes[first..<start]), at: offset + first)
          pendingStart = nil
        }
      } else if pendingStart == nil {
        pendingStart = start
      }
      start = end
    }
    if let first = pendingStart {
      unsafe try write(UnsafeRawBufferPointer(rebasing: bytes[first...]), at: offset + first)
    }
  }

  /// Sets the length of the file, so that trailing zeros need not be written.
  package func setLength(_ length: Int) throws {
    try writing(path, "set the length to \(length) bytes") {
      try retrying { operations.truncate(descriptor, length) }
    }
  }

  /// Flushes the file to the disk under its temporary name, so that it outlives a power failure before its commit.
  ///
  /// - Throws: ``LocatedError``.
  package func flush() throws {
    try writing(path, "put the file in place") {
      try retrying { operations.synchronize(descriptor) }
    }
    _ = operations.synchronizeDirectory(parentDirectory(of: path))
  }

  /// Flushes the file to the disk and renames it into place.
  ///
  /// - Parameter name: another file name in the same directory, if the name depends on the content.
  /// - Returns: the path of the file.
  /// - Throws: ``LocatedError``; the former file is then unchanged.
  @discardableResult
  package func commit(as name: String? = nil) throws -> String {
    precondition(!isCommitted.load(ordering: .relaxed), "a file is committed once")
    let directory = parentDirectory(of: path)
    let final = name.map { (directory as NSString).appendingPathComponent($0) } ?? path
    try operations.putInPlace(temporary, descriptor, at: final)
    isCommitted.store(true, ordering: .relaxed)
    return final
  }

  /// Commits a temporary file that a killed process left behind.
  ///
  /// - Throws: ``LocatedError``; the former file is then unchanged.
  package static func commit(leftover temporary: String, at path: String) throws {
    let operations = FileOperations.current
    let descriptor = try writing(path, "put the file in place") {
      try retrying { operations.open(temporary, O_WRONLY) }
    }
    defer { close(descriptor) }
    try operations.putInPlace(temporary, descriptor, at: path)
  }
}

extension FileOperations {
  /// Flushes an open file, renames it from its temporary name, and flushes the directory.
  fileprivate func putInPlace(
    _ temporary: String, _ descriptor: Int32, at path: String
  ) throws {
    try writing(path, "put the file in place") {
      try retrying { synchronize(descriptor) }
      try retrying { rename(temporary, path) }
    }
    // Some file systems do not support this. The rename has happened anyway, so a failure is ignored.
    _ = synchronizeDirectory(parentDirectory(of: path))
  }
}

/// Replaces a small file, complete and durable or not at all.
///
/// - Throws: ``LocatedError``; the former file is then unchanged.
package func writeAtomically(_ data: some Collection<UInt8>, to path: String) throws {
  let file = try AtomicFile(path: path)
  try file.write(Array(data), at: 0)
  try file.commit()
}

/// Whether all bytes are zero.
@unsafe
package func isZero(_ bytes: UnsafeRawBufferPointer) -> Bool {
  guard let base = bytes.baseAddress else { return true }
  // Equal to itself shifted by one, and the first is zero.
  return unsafe base.load(as: UInt8.self) == 0 && memcmp(base, base + 1, bytes.count - 1) == 0
}

/// Appends to a file, or creates it: all of `bytes`, or nothing.
///
/// - Precondition: no other process appends to the file at the same time.
/// - Throws: ``LocatedError``; the file is then as it was.
package func appendToFile(_ bytes: some Collection<UInt8>, at path: String) throws {
  let operations = FileOperations.current
  try writing(path, "append to the file") {
    // Without O_NONBLOCK, opening a named pipe waits for a reader.
    let descriptor = try retrying { operations.open(path, O_WRONLY | O_CREAT | O_NONBLOCK) }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw SystemError.last }
    let end = Int(status.st_size)
    do {
      unsafe try Array(bytes).withUnsafeBytes {
        unsafe try operations.writeAll($0, to: descriptor, at: end)
      }
    } catch {
      _ = operations.truncate(descriptor, end)
      throw error
    }
  }
}

/// Flushes a file and its name to the disk.
///
/// - Throws: ``LocatedError``.
package func flushFile(at path: String) throws {
  let operations = FileOperations.current
  try writing(path, "flush the file") {
    let descriptor = try retrying { operations.open(path, O_WRONLY | O_NONBLOCK) }
    defer { close(descriptor) }
    try retrying { operations.synchronize(descriptor) }
  }
  _ = operations.synchronizeDirectory(parentDirectory(of: path))
}
