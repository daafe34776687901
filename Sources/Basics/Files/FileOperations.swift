import Foundation

/// The system calls that can fail while a file is written.
///
/// A task-local value holds them, so that a test can make one of them fail at a chosen moment without a
/// full disk.
///
/// Safety: a buffer is used only during the call to which ``AtomicFile`` passes it.
@safe
package struct FileOperations: Sendable {
  package var write: @Sendable (Int32, UnsafeRawBufferPointer, Int) -> Int = {
    descriptor, bytes, offset in
    unsafe pwrite(descriptor, bytes.baseAddress, bytes.count, off_t(offset))
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

  @TaskLocal package static var current = FileOperations()
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
