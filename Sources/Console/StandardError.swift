import Basics
import Foundation
import Synchronization

/// Standard error, for messages and lines about the progress that are redrawn in place on a terminal.
///
/// Characters of a text that steer a terminal are escaped, since texts may come from files.
///
/// Thread safety: any thread may write; lines do not mix.
package final class StandardError: Sendable {
  package static let shared = StandardError()

  /// Whether progress can be redrawn in place.
  package let isTerminal = isatty(2) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"

  private let progress = Mutex(ProgressLines())
  private let log = Mutex(ProgressLog())

  /// Writes a message on separate lines, above the progress if there is any.
  package func line(_ text: String) {
    progress.withLock {
      write($0.inserting(text.printable(keepsLines: true), columns: TerminalSize.current.columns))
    }
  }

  /// Redraws the progress, cut to the width of the terminal.
  ///
  /// - Precondition: ``isTerminal``, and there are fewer lines than the terminal has.
  package func showProgress(_ lines: [String]) {
    progress.withLock {
      write($0.replacing(with: lines.map { $0.printable() }, columns: TerminalSize.current.columns))
    }
  }

  /// Writes the progress on separate lines, unless they say what the last ones said.
  package func logProgress(_ lines: [String]) {
    log.withLock { $0.news(lines) }.forEach(line)
  }

  /// Erases the progress.
  package func endProgress() {
    progress.withLock {
      write($0.replacing(with: [], columns: TerminalSize.current.columns))
    }
  }

  private func write(_ text: String) {
    if text.isEmpty { return }
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }
}
