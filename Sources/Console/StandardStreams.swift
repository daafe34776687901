import Foundation
import Synchronization

/// Standard output, for data. A reader that has gone away is no reason to stop working.
public enum StandardOutput {
  public static func write(_ text: String) {
    try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
  }

  public static func line(_ text: String) { write(text + "\n") }
}

/// Standard error, for everything that is not data: messages, and one line of progress that is
/// redrawn in place on a terminal.
///
/// Thread safety: any thread may write; lines do not mix.
public final class StandardError: Sendable {
  public static let shared = StandardError()

  /// Whether progress may be redrawn in place.
  public let isTerminal = isatty(2) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"

  private let progress = Mutex("")

  /// Writes a message on a line of its own, above the line of progress if there is one.
  public func line(_ text: String) {
    progress.withLock { progress in
      write((progress.isEmpty ? "" : "\r\u{1B}[K") + text + "\n" + progress)
    }
  }

  /// Redraws the line of progress, cut to the terminal's width.
  ///
  /// - Precondition: ``isTerminal``.
  public func showProgress(_ text: String) {
    progress.withLock { progress in
      progress = String(text.prefix(TerminalSize.current.columns - 1))
      write("\r\u{1B}[K" + progress)
    }
  }

  /// Erases the line of progress.
  public func endProgress() {
    progress.withLock { progress in
      if !progress.isEmpty { write("\r\u{1B}[K") }
      progress = ""
    }
  }

  private func write(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }
}

/// The size of the terminal, in characters.
public struct TerminalSize: Sendable {
  public let columns: Int
  public let rows: Int

  /// The size now; 80 × 24 where there is no terminal to ask.
  public static var current: TerminalSize {
    var size = winsize()
    for descriptor: Int32 in [2, 1, 0] {
      if unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 {
        return TerminalSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
      }
    }
    return TerminalSize(columns: 80, rows: 24)
  }
}
