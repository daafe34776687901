import Foundation

/// A terminal without a screen: tests read what the program draws, and send keys.
final class PseudoTerminal {
  private let controller: Int32
  private let terminal: Int32
  private let collector: Collector

  /// The error of a system without free pseudo-terminals.
  struct NoTerminal: Error {
    let code = errno
  }

  init(columns: UInt16 = 80, rows: UInt16 = 30) throws {
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    var ends: (controller: Int32, terminal: Int32) = (-1, -1)
    guard openpty(&ends.controller, &ends.terminal, nil, nil, &size) == 0 else {
      throw NoTerminal()
    }
    (controller, terminal) = ends
    collector = Collector(reading: controller)
  }

  /// Closes the program's end, so that the collector reaches the end of its input.
  deinit {
    close(terminal)
    let controller = controller
    let collector = collector
    Thread.detachNewThread {
      while !collector.hasEnded { usleep(1_000) }
      close(controller)
    }
  }

  /// The program's end.
  var handle: FileHandle { FileHandle(fileDescriptor: terminal, closeOnDealloc: false) }

  /// Sends keys.
  func type(_ keys: String) {
    _ = Array(keys.utf8).withUnsafeBytes { write(controller, $0.baseAddress, $0.count) }
  }

  /// Waits until everything that has been written to the terminal has been read.
  func settle() throws {
    let count = bellCount
    _ = write(terminal, "\u{7}", 1)
    try wait(for: "the terminal's output") { bellCount > count }
  }

  private var bellCount: Int { collector.text.utf8.count { $0 == 7 } }

  /// Everything written to the terminal, except carriage returns and bells.
  var text: String {
    String(
      String.UnicodeScalarView(collector.text.unicodeScalars.filter { $0 != "\r" && $0 != "\u{7}" })
    )
  }

  /// All settings of the terminal.
  var attributes: [UInt64] {
    var attributes = termios()
    guard tcgetattr(terminal, &attributes) == 0 else { return [] }
    return [attributes.c_iflag, attributes.c_oflag, attributes.c_cflag, attributes.c_lflag]
      .map { UInt64($0) }
      + withUnsafeBytes(of: attributes.c_cc) { $0.map { UInt64($0) } }
  }

  /// The lines of the last complete screen, without colours.
  var screen: [String] {
    // More output may arrive between two reads.
    let text = text
    guard let end = text.range(of: "\u{1B}[J", options: .backwards),
      let start = text.range(
        of: "\u{1B}[H", options: .backwards, range: text.startIndex..<end.lowerBound)
    else { return [] }
    return text[start.upperBound..<end.lowerBound].replacing(#/\u{1B}\[[0-9;]*[A-Za-z]/#, with: "")
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// Waits until `part` has been written `count` times.
  func waitForText(_ part: String, count: Int = 1) throws {
    try wait(for: part, situation: { text }) { text.components(separatedBy: part).count > count }
  }

  /// Waits until a screen satisfies `condition`.
  func waitForScreen(
    _ what: String, until condition: ([String]) -> Bool
  ) throws {
    try wait(for: what, situation: { screen.joined(separator: "\n") }) { condition(screen) }
  }
}
