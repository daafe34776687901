import Foundation

/// Creates a directory and those above it that do not exist, and flushes the directories that contain them.
///
/// - Returns: whether this call created it.
/// - Throws: ``LocatedError`` of kind `cannotCreate`; no directory is left then.
@discardableResult
package func createDirectory(at path: String) throws(LocatedError) -> Bool {
  do {
    try retrying { unsafe mkdir(path, 0o777) }
    // As for files, not every file system supports this.
    _ = FileOperations.current.synchronizeDirectory(parentDirectory(of: path))
    return true
  } catch let error {
    let parent = parentDirectory(of: path)
    switch error.code {
    case EEXIST where PathLookup.isDirectory(path):
      return false
    case EEXIST, ENOTDIR:
      throw LocatedError(
        .cannotCreate, path: path, "cannot create the directory: a file is in its place",
        remedy: "move the file, or choose another directory")
    case ENOENT where parent != "." && parent != path:
      let isNew = try createDirectory(at: parent)
      do {
        return try createDirectory(at: path)
      } catch {
        if isNew { unsafe rmdir(parent) }
        throw error
      }
    default:
      throw error.writing(path, "create the directory")
    }
  }
}

/// Returns the directory that holds the file at `path`, which is `.` for a name alone.
///
/// Foundation's function crashes for a path of one character.
package func parentDirectory(of path: String) -> String {
  func withoutEndingSlashes(_ text: Substring) -> Substring {
    text.dropLast(text.reversed().prefix { $0 == "/" }.count)
  }
  guard let slash = withoutEndingSlashes(path[...]).lastIndex(of: "/") else {
    return path.hasPrefix("/") ? "/" : "."
  }
  let parent = withoutEndingSlashes(path[..<slash])
  return parent.isEmpty ? "/" : String(parent)
}
