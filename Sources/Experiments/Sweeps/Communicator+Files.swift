import Basics
import Foundation

/// A file of a directory, as one rank announces it to another.
private struct FileEntry: Codable {
  /// The path below the directory.
  var path: String
  var byteCount: Int

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

extension Communicator {
  /// Sends the files of a directory to another rank, which receives them.
  ///
  /// - Throws: ``LocatedError`` if a file cannot be read. The job cannot continue then.
  func sendFiles(in directory: String, to rank: Int) throws {
    let list = try FileEntry.list(directory)
    let text = [UInt8](try JSONEncoder().encode(list))
    unsafe withUnsafeBytes(of: UInt64(text.count)) { unsafe send($0, to: rank) }
    unsafe text.withUnsafeBytes { unsafe send($0, to: rank) }
    for entry in list {
      let file = try InputFile(path: "\(directory)/\(entry.path)")
      for piece in pieces(of: entry.byteCount) {
        let bytes = try file.bytes(at: piece.lowerBound, count: piece.count)
        unsafe bytes.withUnsafeBytes { unsafe send($0, to: rank) }
      }
    }
  }

  /// Replaces a directory by the files that another rank sends; leaves it as it is if these are none.
  ///
  /// - Throws: ``LocatedError`` if they cannot be written. The job cannot continue then.
  func receiveFiles(in directory: String, from rank: Int) throws {
    var count: UInt64 = 0
    unsafe withUnsafeMutableBytes(of: &count) { unsafe receive($0, from: rank) }
    var text = [UInt8](repeating: 0, count: Int(count))
    unsafe text.withUnsafeMutableBytes { unsafe receive($0, from: rank) }
    let list = try JSONDecoder().decode([FileEntry].self, from: Data(text))
    if list.isEmpty { return }
    let replacement = DirectoryReplacement(directory: directory)
    try replacement.recover()
    for entry in list {
      let path = "\(replacement.receiving)/\(entry.path)"
      try createDirectory(at: parentDirectory(of: path))
      let file = try AtomicFile(path: path)
      for piece in pieces(of: entry.byteCount) {
        var bytes = [UInt8](repeating: 0, count: piece.count)
        unsafe bytes.withUnsafeMutableBytes { unsafe receive($0, from: rank) }
        unsafe try bytes.withUnsafeBytes {
          unsafe try file.writeSkippingZeros($0, at: piece.lowerBound)
        }
      }
      try file.setLength(entry.byteCount)
      try file.commit()
    }
    try replacement.commit()
  }

  /// Divides the bytes of a file into pieces of 16 MiB.
  private func pieces(of byteCount: Int) -> [Range<Int>] {
    let most = 16 << 20
    return stride(from: 0, to: byteCount, by: most).map { $0..<min($0 + most, byteCount) }
  }
}
