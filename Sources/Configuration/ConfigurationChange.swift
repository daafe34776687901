import Basics

/// A key whose value differs between a saved configuration and the current one.
public struct ConfigurationChange: Equatable, Sendable {
  /// The key, such as `learning.batchSize`.
  public let path: String
  /// The saved value, as JSON.
  public let before: String
  /// The current value, as JSON.
  public let after: String
  /// Whether a resumed run may change the value.
  public let mayChangeOnResume: Bool
}

extension TrainingConfiguration {
  /// Returns the keys whose values differ from those of a saved configuration, in the order of the
  /// reference page.
  ///
  /// Keys that the saved configuration lacks are left out: an earlier version did not have them.
  ///
  /// - Parameter saved: the saved configuration as JSON, as in the metadata of a weight file.
  public func changes(since saved: String) -> [ConfigurationChange] {
    guard let document = try? JSONParser.parse(Array(saved.utf8)) else { return [] }
    return ConfigurationKey.all.compactMap { key in
      let value = key.names.reduce(document as JSONValue?) { $0?.object?[$1] }
      guard let value else { return nil }
      // An earlier version may have written the same value in another form.
      var configuration = TrainingConfiguration()
      let before = key.read(value, &configuration) ? key.write(configuration) : value
      let after = key.write(self)
      guard before != after else { return nil }
      return ConfigurationChange(
        path: key.path, before: before.text, after: after.text,
        mayChangeOnResume: key.mayChangeOnResume)
    }
  }
}
