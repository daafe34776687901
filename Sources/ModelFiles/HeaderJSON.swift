import Basics
import Foundation

/// The encoding of metadata values as JSON.
package enum HeaderJSON {
  /// Returns a value as JSON with sorted keys.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - key: The metadata key, for error messages.
  ///   - path: The path of the file, for error messages.
  /// - Throws: `LocatedError` if the value has a number that is not finite.
  package static func encode(_ value: some Encodable, _ key: String, path: String) throws -> String
  {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      return String(decoding: try encoder.encode(value), as: UTF8.self)
    } catch {
      throw LocatedError(
        .unsuitableData, path: path, place: "metadata key '\(key)'", "cannot be written as JSON",
        remedy: "check that all its numbers are finite")
    }
  }
}
