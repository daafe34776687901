import Basics
import Foundation
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

/// The file that keeps the best score between games.
///
/// It holds one number. A file that is missing or damaged counts as a score of 0, and the next game replaces it.
package struct BestScoreFile: Sendable {
  private let path: String

  /// Creates the file for games with these rules, because scores on smaller boards are lower.
  package init(in state: StateDirectory, _ rules: Rules) {
    path = state.file("best-score", rules)
  }

  /// Returns the best score; 0 if there is none.
  package func read() -> Int {
    guard let data = try? TextFile.read(path) else { return 0 }
    let text = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    return max(0, Int(text) ?? 0)
  }

  /// Keeps a score if it is better than the one in the file, to which another game may have written.
  ///
  /// - Throws: `LocatedError` if it cannot be written.
  package func record(_ score: Int) throws {
    guard score > read() else { return }
    try createDirectory(at: parentDirectory(of: path))
    try writeAtomically("\(score)\n".utf8, to: path)
  }
}
