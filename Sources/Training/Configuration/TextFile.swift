import Foundation
import ModelFiles

/// Reads files that people write: configurations, plans of sweeps, lists of boards.
public enum TextFile {
  /// The bytes of a file, or of a pipe up to its end, without the byte-order mark that some editors
  /// write.
  ///
  /// - Throws: ``ModelFileError`` of kind `missingInput` if it is not there or cannot be read.
  public static func read(_ path: String) throws(ModelFileError) -> Data {
    guard FileManager.default.fileExists(atPath: path) else {
      throw ModelFileError(.missingInput, path: path, "does not exist", remedy: "check the path")
    }
    return try read(FileHandle(forReadingAtPath: path), name: path)
  }

  /// The same of what is open already.
  ///
  /// - Parameters:
  ///   - handle: what to read; nil if it could not be opened.
  ///   - name: what messages call it.
  /// - Throws: ``ModelFileError`` of kind `missingInput` if it cannot be read.
  public static func read(_ handle: FileHandle?, name: String) throws(ModelFileError) -> Data {
    guard let handle, let data = try? handle.readToEnd() ?? Data() else {
      throw ModelFileError(
        .missingInput, path: name, "cannot be read", remedy: "is it a file that you may read?")
    }
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    return data.starts(with: mark) ? Data(data.dropFirst(mark.count)) : data
  }
}
