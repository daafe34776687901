import Foundation

/// The temporary files that interrupted writes leave behind, named `.NAME.tmp-PID-NUMBER`.
package enum Temporaries {
  private static let marker = ".tmp-"
  /// The start of the names of Foundation's temporary files, which versions up to 0.1.0 left behind.
  private static let foundationPrefix = ".dat.nosync"

  /// Returns the path of a temporary file for `path`.
  package static func path(for path: String, number: Int) -> String {
    let directory = parentDirectory(of: path)
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

  /// Returns the paths of the temporary files for one file, whether or not a process is writing them.
  package static func paths(for path: String) -> [String] {
    let start = ".\((path as NSString).lastPathComponent)\(marker)"
    let directory = parentDirectory(of: path)
    let names = try? FileManager.default.contentsOfDirectory(atPath: directory)
    return (names ?? []).filter { $0.hasPrefix(start) && isTemporary($0) }.sorted()
      .map { (directory as NSString).appendingPathComponent($0) }
  }

  /// Removes the temporary files in `directory` that no running process is writing.
  ///
  /// A writer holds a lock on its temporary file. The process identifier in the name does not decide,
  /// since identifiers repeat in containers.
  ///
  /// - Returns: the names of the files removed.
  @discardableResult
  package static func removeStale(in directory: String) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    return names.filter { isTemporary($0) || $0.hasPrefix(foundationPrefix) }.sorted()
      .filter { removeIfStale((directory as NSString).appendingPathComponent($0)) }
  }

  /// Removes the temporary files for one file that no running process is writing.
  package static func removeStale(for path: String) {
    for temporary in paths(for: path) { removeIfStale(temporary) }
  }

  @discardableResult
  private static func removeIfStale(_ path: String) -> Bool {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return false }
    return FileOperations.current.remove(path) == 0
  }
}
