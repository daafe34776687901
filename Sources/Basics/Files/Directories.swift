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

/// The lookup of files by the names that people type.
package enum PathLookup {
  /// Returns whether `path` is a directory.
  package static func isDirectory(_ path: String) -> Bool {
    var isDirectory: ObjCBool = false
    _ = unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
    return isDirectory.boolValue
  }

  /// Returns whether a path leads to a regular file.
  package static func isRegularFile(_ path: String) -> Bool {
    let resolved = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    let attributes = try? FileManager.default.attributesOfItem(atPath: resolved)
    return attributes?[.type] as? FileAttributeType == .typeRegular
  }

  /// Returns `path` if it exists, or else the path that differs from it only in case; nil if there is none, or more
  /// than one.
  ///
  /// For example, `configs/ntuple.json` finds `Configs/ntuple.json`.
  package static func find(_ path: String) -> String? {
    let manager = FileManager.default
    if manager.fileExists(atPath: path) { return path }
    var found = path.hasPrefix("/") ? "/" : ""
    for component in path.split(separator: "/") {
      let exact = found + component
      if manager.fileExists(atPath: exact) {
        found = exact + "/"
        continue
      }
      let directory = found.isEmpty ? "." : found
      let names = (try? manager.contentsOfDirectory(atPath: directory)) ?? []
      let matches = names.filter {
        $0.compare(component, options: .caseInsensitive) == .orderedSame
      }
      guard matches.count == 1 else { return nil }
      found += matches[0] + "/"
    }
    return found.isEmpty ? nil : String(found.dropLast())
  }
}

/// Returns the number of bytes that an ordinary user can still write to the disk of `path`; nil if the system
/// does not report it.
///
/// If `path` does not exist, the nearest directory above it counts.
package func freeDiskSpace(at path: String) -> Int? {
  var place = path.isEmpty ? "." : path
  while true {
    var status = statvfs()
    if unsafe statvfs(place, &status) == 0 {
      let (bytes, overflow) = UInt64(status.f_bavail)
        .multipliedReportingOverflow(by: UInt64(status.f_frsize))
      return overflow ? .max : Int(clamping: bytes)
    }
    if errno == EINTR { continue }
    guard errno == ENOENT || errno == ENOTDIR, place != "/", place != "." else { return nil }
    place = parentDirectory(of: place)
  }
}
