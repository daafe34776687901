import Foundation

/// Finds files as people name them.
package enum PathLookup {
  /// `path` as given if it exists, else the one file whose folder and file names differ from it in
  /// case only, so that `configs/ntuple.json` finds `Configs/ntuple.json`; nil if there is none.
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
      guard
        let name = names.sorted().first(where: {
          $0.compare(component, options: .caseInsensitive) == .orderedSame
        })
      else { return nil }
      found += name + "/"
    }
    return found.isEmpty ? nil : String(found.dropLast())
  }
}
