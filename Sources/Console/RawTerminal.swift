import Foundation
import Synchronization

/// The terminal in raw mode: keys arrive one by one without an echo, the cursor is hidden, and the game draws
/// on the alternate screen.
///
/// ``restore()`` restores the former state. It runs at the end, on every exit of the process, on the signals
/// that end it, and on crashes.
///
/// Safety of the crash handler: it reads `savedAttributes`, which is written once before the handler is
/// installed, and calls only functions that are safe in a signal handler (`tcsetattr`, `write`, `signal`,
/// `raise`).
package final class RawTerminal {
  private nonisolated(unsafe) static var savedAttributes = termios()
  private static let isActive = Atomic<Bool>(false)

  private static let enterSequence = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[2J"
  /// The sequence that turns colours off and the cursor on, and returns to the first screen.
  private static let leaveSequence: StaticString = "\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l"

  /// Whether standard input and output are a terminal.
  package static var isAvailable: Bool { isatty(0) == 1 && isatty(1) == 1 }

  /// Takes over the terminal.
  ///
  /// Install a handler of ending signals first: a signal without a handler does not restore the terminal.
  ///
  /// - Precondition: ``isAvailable``.
  package init() {
    let code = unsafe tcgetattr(0, &RawTerminal.savedAttributes)
    precondition(code == 0, "standard input must be a terminal")
    RawTerminal.enter()
    atexit { RawTerminal.restore() }
    for number in [SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGBUS, SIGSEGV, SIGQUIT] {
      signal(number) { number in
        RawTerminal.restore()
        signal(number, SIG_DFL)
        raise(number)
      }
    }
  }

  deinit { RawTerminal.restore() }

  private static func enter() {
    var raw = unsafe savedAttributes
    raw.c_lflag &= ~tcflag_t(ECHO | ICANON)
    // Ctrl-Z arrives as a key, since the terminal must be restored before the process stops.
    let disabled = UInt8(truncatingIfNeeded: fpathconf(0, Int32(_PC_VDISABLE)))
    unsafe withUnsafeMutableBytes(of: &raw.c_cc) { unsafe $0[Int(VSUSP)] = disabled }
    unsafe tcsetattr(0, TCSANOW, &raw)
    isActive.store(true, ordering: .sequentiallyConsistent)
    StandardOutput.write(enterSequence)
  }

  /// Restores the terminal. It may be called at any time, including from a signal handler.
  package static func restore() {
    guard isActive.exchange(false, ordering: .sequentiallyConsistent) else { return }
    unsafe _ = write(1, leaveSequence.utf8Start, leaveSequence.utf8CodeUnitCount)
    unsafe _ = tcsetattr(0, TCSANOW, &savedAttributes)
  }

  /// Restores the terminal, stops the job as Ctrl-Z does, and takes the terminal over again when the job
  /// continues. Without a shell that could continue it, the job does not stop.
  package func suspend() {
    RawTerminal.restore()
    kill(0, SIGTSTP)
    RawTerminal.enter()
  }

  /// Draws `lines` from the top left corner, replacing the former content.
  package func draw(_ lines: [String]) {
    // Lines are overwritten and the rest of each is erased, which avoids the flicker of clearing.
    StandardOutput.write(
      "\u{1B}[H" + lines.map { $0 + "\u{1B}[K" }.joined(separator: "\r\n") + "\u{1B}[J")
  }

  /// Returns the bytes that have arrived, or else the first that arrive within `milliseconds`; nil at the end of
  /// the input.
  package func readBytes(waiting milliseconds: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 256)
    var descriptor = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
    while unsafe poll(&descriptor, 1, bytes.isEmpty ? Int32(milliseconds) : 0) > 0 {
      let count = unsafe read(0, &chunk, chunk.count)
      if count < 0, errno == EINTR || errno == EAGAIN { break }
      // Bytes before the end are returned; the next call finds the end.
      if count <= 0 { return bytes.isEmpty ? nil : bytes }
      bytes += chunk[..<count]
    }
    return bytes
  }
}
