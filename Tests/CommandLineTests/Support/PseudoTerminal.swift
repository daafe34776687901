import Foundation

/// A terminal without a screen: what the program draws is text here, and keys are sent by tests.
final class PseudoTerminal {
  private let controller: Int32
  private let terminal: Int32
  private let collector: Collector

  /// The system has no pseudo-terminal to give.
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

  /// Closes the program's end; the collector then reads the end of its own.
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

  /// Presses keys.
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

  /// Everything that has been written to the terminal, but for carriage returns and bells.
  var text: String {
    String(
      String.UnicodeScalarView(collector.text.unicodeScalars.filter { $0 != "\r" && $0 != "\u{7}" })
    )
  }

  /// The settings of the terminal, all of them.
  var attributes: [UInt64] {
    var attributes = termios()
    guard tcgetattr(terminal, &attributes) == 0 else { return [] }
    return [attributes.c_iflag, attributes.c_oflag, attributes.c_cflag, attributes.c_lflag]
      .map { UInt64($0) }
      + withUnsafeBytes(of: attributes.c_cc) { $0.map { UInt64($0) } }
  }

  /// The lines of the last whole picture, without colours.
  var screen: [String] {
    // More may come between two looks.
    let text = text
    guard let end = text.range(of: "\u{1B}[J", options: .backwards),
      let start = text.range(
        of: "\u{1B}[H", options: .backwards, range: text.startIndex..<end.lowerBound)
    else { return [] }
    return text[start.upperBound..<end.lowerBound].replacing(#/\u{1B}\[[0-9;]*[A-Za-z]/#, with: "")
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// Waits until `part` has been written so many times.
  func waitForText(_ part: String, count: Int = 1) throws {
    try wait(for: part, situation: { text }) { text.components(separatedBy: part).count > count }
  }

  /// Waits until a picture satisfies `condition`.
  func waitForScreen(
    _ what: String, until condition: ([String]) -> Bool
  ) throws {
    try wait(for: what, situation: { screen.joined(separator: "\n") }) { condition(screen) }
  }
}
