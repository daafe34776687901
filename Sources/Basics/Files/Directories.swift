import Foundation

/// Creates a directory and those above it that do not exist, and flushes the directories that contain them.
///
/// - Returns: whether this call created it.
/// - Throws: ``LocatedError`` of kind `cannotCreate`; no new directory is left then.
@discardableResult
package func createDirectory(at path: String) throws(LocatedError) -> Bool {
  try !createDirectories(at: path).isEmpty
}

/// Does the same, and returns the directories that it has created, from the top down.
func createDirectories(at path: String) throws(LocatedError) -> [String] {
  var created: [String] = []
  do {
    try create(path, &created)
    return created
  } catch {
    removeEmpty(created[...])
    throw error
  }
}

/// Removes directories that were created from the top down, as far as they are empty.
func removeEmpty(_ created: ArraySlice<String>) {
  for path in created.reversed() { unsafe rmdir(path) }
}

private func create(
  _ path: String, _ created: inout [String], parentExists: Bool = false
) throws(LocatedError) {
  do {
    try retrying { unsafe mkdir(path, 0o777) }
    // As for files, not every file system supports this.
    _ = FileOperations.current.synchronizeDirectory(parentDirectory(of: path))
    created.append(path)
  } catch let error {
    let parent = parentDirectory(of: path)
    switch error.code {
    case EEXIST where PathLookup.isDirectory(path): return
    case EEXIST, ENOTDIR:
      throw LocatedError(
        .cannotCreate, path: path, "cannot create the directory: a file is in its place",
        remedy: "move the file, or choose another directory")
    // Some file systems, such as /proc, report this for a parent that exists.
    case ENOENT where parent != "." && parent != path && !parentExists:
      try create(parent, &created)
      try create(path, &created, parentExists: true)
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
