import Foundation

/// Creates a directory and those above it that do not exist.
///
/// - Returns: whether this call created it.
/// - Throws: ``LocatedError`` of kind `cannotCreate`.
@discardableResult
package func createDirectory(at path: String) throws(LocatedError) -> Bool {
  do {
    try retrying { unsafe mkdir(path, 0o777) }
    return true
  } catch let error {
    let parent = (path as NSString).deletingLastPathComponent
    switch error.code {
    case EEXIST where PathLookup.isDirectory(path):
      return false
    case EEXIST, ENOTDIR:
      throw LocatedError(
        .cannotCreate, path: path, "cannot create the directory: a file is in its place",
        remedy: "move the file, or choose another directory")
    case ENOENT where !parent.isEmpty && parent != path:
      try createDirectory(at: parent)
      return try createDirectory(at: path)
    default:
      throw error.writing(path, "create the directory")
    }
  }
}
