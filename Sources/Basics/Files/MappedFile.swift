import Foundation

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
