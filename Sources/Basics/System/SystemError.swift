import Foundation

/// The error of a failed system call.
package struct SystemError: Error, Hashable {
  package let code: Int32

  /// The error of the last call on this thread.
  package static var last: SystemError { SystemError(code: errno) }

  /// The remedy for a lack of file descriptors.
  private static let moreFiles = "raise the limit on open files (ulimit -n), or end other programs"

  package var text: String { unsafe String(cString: strerror(code)) }

  /// Returns the error for a file that cannot be opened or read.
  package func reading(_ path: String) -> LocatedError {
    switch code {
    case ENOENT, ENOTDIR:
      LocatedError(.missingInput, path: path, "does not exist", remedy: "check the path")
    case EACCES, EPERM:
      LocatedError(
        .missingInput, path: path, "cannot be read: \(text)", remedy: "check its permissions")
    case EMFILE, ENFILE:
      LocatedError(
        .inputOutput, path: path, "cannot be read: \(text)", remedy: SystemError.moreFiles)
    default:
      LocatedError(
        .inputOutput, path: path, "cannot be read: \(text)",
        remedy: "check the disk, or use a copy of the file")
    }
  }

  /// Returns the error for a file that cannot be written and still has its former content.
  ///
  /// - Parameter action: the failed action as a verb phrase, such as `create the file`.
  package func writing(_ path: String, _ action: String) -> LocatedError {
    let (kind, remedy): (LocatedError.Kind, String) =
      switch code {
      case ENOENT, ENOTDIR: (.cannotCreate, "create the directory first")
      case EACCES, EPERM, EROFS:
        (.cannotCreate, "choose a directory that you may write to, or change its permissions")
      case EISDIR, ENAMETOOLONG, ELOOP: (.cannotCreate, "choose another name")
      case ENOSPC, EDQUOT:
        (.inputOutput, "free some disk space or save elsewhere; the former file is unchanged")
      case EMFILE, ENFILE: (.inputOutput, SystemError.moreFiles)
      case EFBIG:
        (.inputOutput, "raise the file size limit (ulimit -f); the former file is unchanged")
      default: (.inputOutput, "check the disk or save elsewhere; the former file is unchanged")
      }
    return LocatedError(kind, path: path, "cannot \(action): \(text)", remedy: remedy)
  }
}

/// Returns what `body` returns. A ``SystemError`` becomes that of reading a file, see ``SystemError/reading(_:)``.
package func reading<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
  do {
    return try body()
  } catch let error as SystemError {
    throw error.reading(path)
  }
}

/// Returns what `body` returns. A ``SystemError`` becomes that of an action on a file, see
/// ``SystemError/writing(_:_:)``.
@discardableResult
package func writing<Result>(
  _ path: String, _ action: String, _ body: () throws -> Result
) throws -> Result {
  do {
    return try body()
  } catch let error as SystemError {
    throw error.writing(path, action)
  }
}

/// Opens the null device on those standard streams, the descriptors 0 to 2, that are closed.
///
/// Otherwise the next files would get these descriptors, and messages would be written into them. The device
/// is opened in the opposite direction, so that using a stream fails as if it were closed.
package func openClosedStandardStreams() {
  for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) == -1 {
    let opened = unsafe open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
    // The lowest free descriptor is the closed one.
    if opened >= 0, opened != descriptor { close(opened) }
  }
}
