import Basics
import Foundation

/// The replacement of a directory by a copy from another process, in steps between which a kill loses nothing.
///
/// The copy grows as `NAME.receiving`, and becomes `NAME.received` when it is complete. The old directory steps
/// aside as `NAME.replaced`, the copy takes its place, and the old one is removed. At every moment one of the names
/// `NAME`, `NAME.received` and `NAME.replaced` leads to a complete directory, if there was one before.
///
/// Thread safety: one thread at a time replaces a directory.
struct DirectoryReplacement {
  let directory: String

  /// The copy as long as it is incomplete.
  var receiving: String { directory + Suffix.receiving.rawValue }
  /// The complete copy.
  private var received: String { directory + Suffix.received.rawValue }
  /// The old directory.
  private var replaced: String { directory + Suffix.replaced.rawValue }

  private enum Suffix: String, CaseIterable {
    case receiving = ".receiving"
    case received = ".received"
    case replaced = ".replaced"
  }

  /// Returns the replacements in a directory that a killed process has begun.
  static func unfinished(in parent: String) -> [DirectoryReplacement] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
    let replaced = names.compactMap { name in
      Suffix.allCases.first { name.hasSuffix($0.rawValue) }.map {
        String(name.dropLast($0.rawValue.count))
      }
    }
    return Set(replaced).sorted().map { DirectoryReplacement(directory: "\(parent)/\($0)") }
  }

  /// Puts the copy in place, which is complete.
  ///
  /// - Throws: ``LocatedError``. ``recover()`` then completes the replacement.
  func commit() throws {
    try rename(receiving, received)
    try putInPlace()
  }

  /// Puts a complete copy in place, or the old directory if there is none, and removes what is left.
  ///
  /// - Throws: ``LocatedError``.
  func recover() throws {
    if exists(received) {
      try putInPlace()
    } else if !exists(directory), exists(replaced) {
      try rename(replaced, directory)
    }
    try remove(replaced)
    try remove(receiving)
  }

  private func putInPlace() throws {
    if exists(directory) {
      try remove(replaced)
      try rename(directory, replaced)
    }
    try rename(received, directory)
    try remove(replaced)
  }

  private func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

  /// Renames a directory, so that a power failure later does not undo it.
  private func rename(_ source: String, _ target: String) throws {
    let operations = FileOperations.current
    try writing(target, "put the directory in place") {
      try retrying { operations.rename(source, target) }
    }
    // Not every file system supports this.
    _ = operations.synchronizeDirectory(parentDirectory(of: target))
  }

  private func remove(_ path: String) throws {
    if exists(path) { try FileManager.default.removeItem(atPath: path) }
  }
}
