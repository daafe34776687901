import Foundation

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
