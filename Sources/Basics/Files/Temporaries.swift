import Foundation

/// The temporary files that interrupted writes leave behind, named `.NAME.tmp-PID-NUMBER`.
package enum Temporaries {
  private static let marker = ".tmp-"

  /// Returns the path of a temporary file for `path`.
  package static func path(for path: String, number: Int) -> String {
    let directory = (path as NSString).deletingLastPathComponent
    let name = (path as NSString).lastPathComponent
    let temporary = ".\(name)\(marker)\(getpid())-\(number)"
    return (directory as NSString).appendingPathComponent(temporary)
  }

  /// Returns whether a file name is that of a temporary file.
  package static func isTemporary(_ name: String) -> Bool {
    guard name.hasPrefix("."), let range = name.range(of: marker, options: .backwards) else {
      return false
    }
    let numbers = name[range.upperBound...].split(separator: "-", omittingEmptySubsequences: false)
    return numbers.count == 2 && numbers.allSatisfy { !$0.isEmpty && $0.allSatisfy(\.isNumber) }
  }

  /// Removes the temporary files in `directory` that no running process is writing.
  ///
  /// A writer holds a lock on its temporary file. The process identifier in the name does not decide,
  /// since identifiers repeat in containers.
  ///
  /// - Returns: the names of the files removed.
  @discardableResult
  package static func removeStale(in directory: String) -> [String] {
    removeStale(in: directory, where: { _ in true })
  }

  /// Removes the temporary files for one file that no running process is writing.
  package static func removeStale(for path: String) {
    let start = ".\((path as NSString).lastPathComponent)\(marker)"
    let directory = (path as NSString).deletingLastPathComponent
    removeStale(in: directory.isEmpty ? "." : directory, where: { $0.hasPrefix(start) })
  }

  @discardableResult
  private static func removeStale(
    in directory: String, where isWanted: (String) -> Bool
  ) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    return names.filter { isWanted($0) && isTemporary($0) }.sorted().filter { name in
      let path = (directory as NSString).appendingPathComponent(name)
      let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
      guard descriptor >= 0 else { return false }
      defer { close(descriptor) }
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return false }
      return unsafe unlink(path) == 0
    }
  }
}
