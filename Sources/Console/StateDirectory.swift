import Game2048

/// The directory of what lasts from one game in the terminal to the next.
package struct StateDirectory: Sendable {
  private let path: String

  /// Finds the directory of a user; nil if there is none.
  ///
  /// - Parameter environment: `XDG_STATE_HOME` is the parent directory if it is an absolute path, otherwise
  ///   `.local/state` in `HOME`.
  package init?(environment: [String: String]) {
    func directory(_ name: String) -> String? {
      environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    guard let state = directory("XDG_STATE_HOME") ?? directory("HOME").map({ $0 + "/.local/state" })
    else { return nil }
    path = "\(state)/learn2048"
  }

  /// Returns the path of a file about games with these rules.
  package func file(_ name: String, _ rules: Rules) -> String {
    "\(path)/\(name)-\(rules.text)"
  }
}
