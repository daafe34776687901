import Foundation

/// The size of the terminal, in characters.
package struct TerminalSize: Sendable {
  package let columns: Int
  package let rows: Int

  /// The current size; 80 × 24 without a terminal.
  package static var current: TerminalSize {
    var size = winsize()
    for descriptor: Int32 in [2, 1, 0] {
      if unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 {
        return TerminalSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
      }
    }
    return TerminalSize(columns: 80, rows: 24)
  }
}
