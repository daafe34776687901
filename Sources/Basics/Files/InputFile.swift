import Foundation

/// A regular file that is open for reading at any offset.
///
/// Thread safety: reads move no position, so any number of threads may read.
package final class InputFile: Sendable {
  package let path: String
  /// The length when the file was opened, in bytes.
  package let byteCount: Int
  let descriptor: Int32

  /// Opens a file.
  ///
  /// - Throws: ``LocatedError`` if the file is missing, is not a regular file or may not be read.
  package init(path: String) throws {
    self.path = path
    // Without O_NONBLOCK, opening a named pipe waits for a writer.
    descriptor = try reading(path) {
      try retrying { unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    }
    var status = stat()
    let code = unsafe fstat(descriptor, &status)
    byteCount = Int(status.st_size)
    // From here on, `deinit` closes the file.
    guard code == 0 else { throw SystemError.last.reading(path) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      let isDirectory = status.st_mode & S_IFMT == S_IFDIR
      throw LocatedError(
        .unsuitableData, path: path, isDirectory ? "is a directory" : "is not a regular file",
        remedy: "name a file")
    }
  }

  deinit {
    close(descriptor)
  }

  /// Fills `buffer` with the bytes from `offset` on.
  ///
  /// - Throws: ``LocatedError`` if the file ends before that, or cannot be read.
  package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws {
    var done = 0
    while done < buffer.count {
      let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
      let count = try reading(path) {
        try retrying {
          unsafe pread(descriptor, rest.baseAddress, rest.count, off_t(offset + done))
        }
      }
      guard count > 0 else {
        throw LocatedError.damaged(path, "byte \(offset + done)", "the file ends too early")
      }
      done += count
    }
  }

  /// Returns all bytes of a file.
  ///
  /// - Throws: ``LocatedError`` if the file is longer than the limit, or cannot be read.
  package static func contents(of path: String, limit: InputLimit) throws -> [UInt8] {
    let file = try InputFile(path: path)
    try limit.require(file.byteCount, path: path)
    return try file.bytes(at: 0, count: file.byteCount)
  }

  /// Returns `count` bytes from `offset` on.
  ///
  /// - Throws: ``LocatedError`` if the file ends before that, or cannot be read.
  package func bytes(at offset: Int, count: Int) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    unsafe try bytes.withUnsafeMutableBytes { unsafe try read(into: $0, at: offset) }
    return bytes
  }
}

/// A file that is mapped into memory for reading.
///
/// The system reads the pages that are used, and shares them between processes.
///
/// Safety: (1) `base` points at `byteCount` bytes that `init` maps and `deinit` unmaps; (2) ``bytes`` is valid
/// while the object lives. The mapping is private to readers: another process that shortens the file ends this
/// one, so writers replace files instead of changing them.
@safe
package final class MappedFile: @unchecked Sendable {
  package let path: String
  /// The length of the file, in bytes.
  package let byteCount: Int
  private let base: UnsafeMutableRawPointer?

  /// Maps a regular file.
  ///
  /// - Throws: ``LocatedError`` if the file is missing or cannot be mapped.
  package init(path: String) throws {
    self.path = path
    let file = try InputFile(path: path)
    byteCount = file.byteCount
    guard byteCount > 0 else {
      unsafe base = nil
      return
    }
    // The descriptor is open as long as the file lives.
    let region = unsafe withExtendedLifetime(file) {
      unsafe mmap(nil, file.byteCount, PROT_READ, MAP_SHARED, file.descriptor, 0)
    }
    guard let region = unsafe region, unsafe region != MAP_FAILED else {
      throw SystemError.last.reading(path)
    }
    unsafe base = region
  }

  deinit {
    if let base = unsafe base { unsafe munmap(base, byteCount) }
  }

  /// The content of the file.
  @unsafe
  package var bytes: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: base, count: byteCount)
  }
}
