import Foundation

/// A regular file that is open for reading at any offset.
///
/// Thread safety: reads move no position, so any number of threads may read.
package final class InputFile: Sendable {
  package let path: String
  /// The length when the file was opened, in bytes.
  package let byteCount: Int
  private let descriptor: Int32

  /// Opens a file.
  ///
  /// - Throws: ``LocatedError`` if the file is missing, is not a regular file or may not be read.
  package init(path: String) throws {
    self.path = path
    do {
      // Without O_NONBLOCK, opening a named pipe waits for a writer.
      descriptor = try retrying { unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    } catch let error {
      throw error.reading(path)
    }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else {
      let error = SystemError.last
      close(descriptor)
      throw error.reading(path)
    }
    byteCount = Int(status.st_size)
    guard status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
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
      let count: Int
      do {
        count = try retrying {
          unsafe pread(
            descriptor, buffer.baseAddress! + done, buffer.count - done, off_t(offset + done))
        }
      } catch let error {
        throw error.reading(path)
      }
      guard count > 0 else {
        throw LocatedError.damaged(path, "byte \(offset + done)", "the file ends too early")
      }
      done += count
    }
  }

  /// Returns the bytes of a whole file.
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
