import Foundation

/// Reads files that people write: configurations, plans of sweeps, lists of boards.
package enum TextFile {
  /// The bytes of a file, or of a pipe up to its end, without the byte-order mark that some editors
  /// write.
  ///
  /// - Throws: ``LocatedError`` of kind `missingInput` if it is not there or cannot be read.
  package static func read(_ path: String) throws(LocatedError) -> Data {
    guard FileManager.default.fileExists(atPath: path) else {
      throw LocatedError(.missingInput, path: path, "does not exist", remedy: "check the path")
    }
    return try read(FileHandle(forReadingAtPath: path), name: path)
  }

  /// The same of what is open already.
  ///
  /// - Parameters:
  ///   - handle: what to read; nil if it could not be opened.
  ///   - name: what messages call it.
  /// - Throws: ``LocatedError`` of kind `missingInput` if it cannot be read.
  package static func read(_ handle: FileHandle?, name: String) throws(LocatedError) -> Data {
    guard let handle, let data = try? handle.readToEnd() ?? Data() else {
      throw LocatedError(
        .missingInput, path: name, "cannot be read", remedy: "is it a file that you may read?")
    }
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    return data.starts(with: mark) ? Data(data.dropFirst(mark.count)) : data
  }
}
