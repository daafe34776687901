import Foundation

/// The reading of files that people write: configurations, sweep plans and lists of boards.
package enum TextFile {
  /// Returns the bytes of a file or pipe, without the byte-order mark that some editors write.
  ///
  /// - Throws: ``LocatedError`` of kind `missingInput` if it does not exist or cannot be read.
  package static func read(_ path: String) throws(LocatedError) -> Data {
    guard FileManager.default.fileExists(atPath: path) else {
      throw LocatedError(.missingInput, path: path, "does not exist", remedy: "check the path")
    }
    return try read(FileHandle(forReadingAtPath: path), name: path)
  }

  /// Returns the bytes of an open file or pipe, without a byte-order mark.
  ///
  /// - Parameters:
  ///   - handle: the file; nil if it could not be opened.
  ///   - name: the name of the file for messages.
  /// - Throws: ``LocatedError`` of kind `missingInput` if it cannot be read.
  package static func read(_ handle: FileHandle?, name: String) throws(LocatedError) -> Data {
    guard let handle, let data = try? handle.readToEnd() ?? Data() else {
      throw LocatedError(
        .missingInput, path: name, "cannot be read",
        remedy: "check that it is a file, and its permissions")
    }
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    return data.starts(with: mark) ? Data(data.dropFirst(mark.count)) : data
  }
}
