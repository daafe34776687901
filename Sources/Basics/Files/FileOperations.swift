import Foundation

/// The system calls by which files are written, put in place and removed.
///
/// A task-local value holds them, so that a test can make one of them fail at a chosen moment without a
/// full disk, or record all of them.
///
/// Safety: a buffer is used only during the call to which its writer passes it.
@safe
package struct FileOperations: Sendable {
  /// Opens a file for writing, with the flags of `open`.
  package var open: @Sendable (String, Int32) -> Int32 = { path, flags in
    unsafe Foundation.open(path, flags | O_CLOEXEC, 0o666)
  }
  package var write: @Sendable (Int32, UnsafeRawBufferPointer, Int) -> Int = {
    descriptor, bytes, offset in
    unsafe pwrite(descriptor, bytes.baseAddress, bytes.count, off_t(offset))
  }
  package var truncate: @Sendable (Int32, Int) -> Int32 = { descriptor, length in
    ftruncate(descriptor, off_t(length))
  }
  package var synchronize: @Sendable (Int32) -> Int32 = { descriptor in
    #if canImport(Darwin)
      // On macOS only this reaches the medium; not every file system supports it.
      if fcntl(descriptor, F_FULLFSYNC) == 0 { return 0 }
    #endif
    return fsync(descriptor)
  }
  package var rename: @Sendable (String, String) -> Int32 = { source, destination in
    unsafe Foundation.rename(source, destination)
  }
  package var remove: @Sendable (String) -> Int32 = { path in unsafe unlink(path) }
  /// Flushes a directory, so that a rename in it survives a power failure.
  package var synchronizeDirectory: @Sendable (String) -> Int32 = { path in
    let descriptor = unsafe Foundation.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return -1 }
    defer { close(descriptor) }
    return fsync(descriptor)
  }

  package init() {}

  @TaskLocal package static var current = FileOperations()

  /// Writes all of `bytes` at `offset` of an open file.
  ///
  /// - Throws: the error of the write that failed; some of the bytes may then be in the file.
  package func writeAll(
    _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at offset: Int
  ) throws(SystemError) {
    var done = 0
    while done < bytes.count {
      let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[done...])
      let count = try retrying { unsafe write(descriptor, rest, offset + done) }
      // An empty write without an error would repeat forever.
      guard count > 0 else { throw SystemError(code: ENOSPC) }
      done += count
    }
  }
}

/// Repeats a call that a signal interrupts, and throws the error of any other failure.
@discardableResult
package func retrying<Result: SignedInteger>(_ call: () -> Result) throws(SystemError) -> Result {
  while true {
    let result = call()
    if result >= 0 { return result }
    if errno != EINTR { throw .last }
  }
}
