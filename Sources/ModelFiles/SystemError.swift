import Foundation

/// The number and text of a failed system call.
struct SystemError: Error, Hashable {
  let code: Int32

  /// The failure of the call just made.
  static var last: SystemError { SystemError(code: errno) }

  var text: String { unsafe String(cString: strerror(code)) }

  /// The error for a file that was to be opened for reading.
  func reading(_ path: String) -> ModelFileError {
    switch code {
    case ENOENT, ENOTDIR:
      ModelFileError(.missingInput, path: path, "does not exist", remedy: "check the path")
    case EACCES, EPERM:
      ModelFileError(
        .missingInput, path: path, "cannot be read: \(text)", remedy: "check its permissions")
    default:
      ModelFileError(
        .inputOutput, path: path, "cannot be read: \(text)",
        remedy: "check the disk, and use a copy of the file")
    }
  }

  /// The error for a file that was to be written, whose former content is still in place.
  func writing(_ path: String, _ action: String) -> ModelFileError {
    let problem = "cannot \(action): \(text)"
    switch code {
    case ENOENT, ENOTDIR:
      return ModelFileError(
        .cannotCreate, path: path, problem, remedy: "create the directory first")
    case EACCES, EPERM, EROFS:
      return ModelFileError(
        .cannotCreate, path: path, problem,
        remedy: "choose a directory that you may write to, or change its permissions")
    case EISDIR, ENAMETOOLONG, ELOOP:
      return ModelFileError(.cannotCreate, path: path, problem, remedy: "choose another name")
    case ENOSPC, EDQUOT:
      return ModelFileError(
        .inputOutput, path: path, problem,
        remedy: "free some disk space or save elsewhere; the former file is unchanged")
    case EFBIG:
      return ModelFileError(
        .inputOutput, path: path, problem,
        remedy: "raise the file size limit (ulimit -f); the former file is unchanged")
    default:
      return ModelFileError(
        .inputOutput, path: path, problem,
        remedy: "check the disk or save elsewhere; the former file is unchanged")
    }
  }
}
