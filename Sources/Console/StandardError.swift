import Basics
import Foundation
import Synchronization

/// Standard error, for messages and a progress line that is redrawn in place on a terminal.
///
/// Characters of a text that steer a terminal are escaped, since texts may come from files.
///
/// Thread safety: any thread may write; lines do not mix.
package final class StandardError: Sendable {
  package static let shared = StandardError()

  /// Whether the progress line can be redrawn in place.
  package let isTerminal = isatty(2) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"

  private let progress = Mutex("")

  /// Writes a message on a separate line, above the progress line if there is one.
  package func line(_ text: String) {
    progress.withLock { progress in
      write(
        (progress.isEmpty ? "" : "\r\u{1B}[K") + text.printable(keepsLines: true) + "\n" + progress)
    }
  }

  /// Redraws the progress line, cut to the width of the terminal.
  ///
  /// - Precondition: ``isTerminal``.
  package func showProgress(_ text: String) {
    progress.withLock { progress in
      progress = String(text.printable().prefix(TerminalSize.current.columns - 1))
      write("\r\u{1B}[K" + progress)
    }
  }

  /// Erases the progress line.
  package func endProgress() {
    progress.withLock { progress in
      if !progress.isEmpty { write("\r\u{1B}[K") }
      progress = ""
    }
  }

  private func write(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }
}
