import Basics

/// A key of earlier versions, or some values of a key, that gained nothing and were removed.
///
/// Values that ask for what this version does anyway are read and ignored, so that old runs resume. The others
/// are rejected with the last commit that reads them.
struct RemovedSetting: Sendable {
  /// The key, such as `merging.rule`.
  let path: String
  /// The last commit that reads the setting.
  let commit: String
  /// Returns whether a value asks for what was removed.
  let requiresRemoved: @Sendable (JSONValue) -> Bool

  /// A key of which some values are what this version does.
  private init(
    _ path: String, accepting accepted: JSONValue..., commit: String = Version.lastWithRemoved
  ) {
    self.init(path: path, commit: commit) { !accepted.contains($0) }
  }

  private init(
    path: String, commit: String = Version.lastWithRemoved,
    _ requiresRemoved: @escaping @Sendable (JSONValue) -> Bool
  ) {
    (self.path, self.commit, self.requiresRemoved) = (path, commit, requiresRemoved)
  }

  /// Every setting that was removed.
  static let all = [
    RemovedSetting("learning.coherenceWindow", accepting: 0),
    // Plain loops learned the same as OpenBLAS, but for rounding.
    RemovedSetting("learning.updatePath", accepting: "blas", "plain"),
    RemovedSetting("merging.rule", accepting: "coherent"),
    RemovedSetting("network.stagePromotion", accepting: "copy"),
    RemovedSetting(path: "network.stages") { $0 == "tileSet" },
    RemovedSetting(path: "network.downgradeTile") { $0.array != nil },
    RemovedSetting("starts.restartFrom", accepting: "path"),
    // It had an effect only with another starts.restartFrom.
    RemovedSetting(path: "starts.restartsPerGame") { _ in false },
  ]

  /// The sentences that reject a value.
  func problem(of value: JSONValue) -> String {
    "\(path) = \(value.text) has been removed. Use commit \(commit), the last one that reads it."
  }

  /// Returns the settings of a complete configuration that ask for what was removed.
  static func required(by configuration: String) -> [(setting: RemovedSetting, value: JSONValue)] {
    guard let document = try? JSONParser.parse(Array(configuration.utf8)) else { return [] }
    return all.compactMap { setting in
      document.value(at: setting.path).flatMap {
        setting.requiresRemoved($0) ? (setting, $0) : nil
      }
    }
  }
}
