import Basics
import Foundation

extension Communicator {
  /// Replaces a directory of one rank by the files that it has on another. All ranks call it together.
  ///
  /// If the other rank has no files, the directory stays as it is.
  ///
  /// - Parameter directory: The path of the directory on this rank.
  /// - Throws: ``JobFailure`` on all ranks unless the files are in place, synchronised with the disk.
  func copyFiles(in directory: String, from source: Int, to target: Int) throws {
    if source == target { return }
    let entries = try together { rank == source ? try FileEntry.list(directory) : [] }[source]
    if entries.isEmpty { return }
    let replacement = DirectoryReplacement(directory: directory)
    try together { if rank == target { try replacement.recover() } }
    // After a failure, its files make room.
    defer { if rank == target { try? replacement.recover() } }
    for entry in entries {
      var (input, output): (InputFile?, AtomicFile?)
      try together {
        if rank == source { input = try InputFile(path: "\(directory)/\(entry.path)") }
        if rank == target {
          let path = "\(replacement.receiving)/\(entry.path)"
          try createDirectory(at: parentDirectory(of: path))
          output = try AtomicFile(path: path)
        }
      }
      for piece in entry.pieces {
        var messages = [[UInt8]](repeating: [], count: size)
        try together {
          messages[target] = try input?.bytes(at: piece.lowerBound, count: piece.count) ?? []
        }
        let bytes = exchange(messages)[source]
        try together {
          unsafe try bytes.withUnsafeBytes {
            unsafe try output?.writeSkippingZeros($0, at: piece.lowerBound)
          }
        }
      }
      try together {
        try output?.setLength(entry.byteCount)
        try output?.commit()
      }
    }
    try together { if rank == target { try replacement.commit() } }
  }
}

/// A file of a directory, as one rank announces it to the others.
private struct FileEntry: Codable {
  /// The path below the directory.
  var path: String
  var byteCount: Int

  /// The bytes of the file in pieces of 16 MiB.
  var pieces: [Range<Int>] {
    let most = 16 << 20
    return stride(from: 0, to: byteCount, by: most).map { $0..<min($0 + most, byteCount) }
  }

  /// Lists the files of a directory that other processes need; none if it does not exist.
  static func list(_ directory: String) throws -> [FileEntry] {
    let manager = FileManager.default
    guard manager.fileExists(atPath: directory) else { return [] }
    return try manager.subpathsOfDirectory(atPath: directory).sorted().filter { path in
      let name = (path as NSString).lastPathComponent
      return name != "lock" && !Temporaries.isTemporary(name)
        && !PathLookup.isDirectory("\(directory)/\(path)")
    }.map { path in
      FileEntry(path: path, byteCount: try InputFile(path: "\(directory)/\(path)").byteCount)
    }
  }
}

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
