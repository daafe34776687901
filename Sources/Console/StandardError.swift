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
  private let lastCount = Mutex(ContinuousClock.now)

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

  /// Redraws how much of the work is done, at most ten times per second, and on a terminal only.
  package func showCount(_ done: Int, of total: Int, _ unit: String) {
    guard isTerminal else { return }
    let isDue = lastCount.withLock { last in
      guard last.duration(to: .now) >= .milliseconds(100) else { return false }
      last = .now
      return true
    }
    if isDue { showProgress(["\(NumberText.grouped(done))/\(NumberText.grouped(total)) \(unit)"]) }
  }

  /// Writes the progress on separate lines, unless they say what the last ones said.
  package func logProgress(_ lines: [String]) {
    progress.withLock { $0.news(lines) }.forEach(line)
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
