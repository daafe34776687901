import Foundation

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
