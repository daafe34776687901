import Foundation
import Game2048
import Synchronization

/// The terminal in raw mode: keys arrive one by one without an echo, the cursor is hidden, and the game draws
/// on the alternate screen.
///
/// ``restore()`` restores the former state. It runs at the end, on every exit of the process, on the signals
/// that end it, and on crashes.
///
/// Safety of the crash handler: it reads `savedAttributes`, which is written once before the handler is
/// installed, and calls only functions that are safe in a signal handler (`tcsetattr`, `poll`, `write`,
/// `signal`, `raise`).
final class RawTerminal {
  private nonisolated(unsafe) static var savedAttributes = termios()
  private static let isActive = Atomic<Bool>(false)

  private static let enterSequence = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[2J"
  /// The sequence that turns colours off and the cursor on, and returns to the first screen.
  private static let leaveSequence: StaticString = "\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l"

  static var isAvailable: Bool { isatty(0) == 1 && isatty(1) == 1 }

  /// Takes over the terminal.
  ///
  /// Install a handler of ending signals first: a signal without a handler does not restore the terminal.
  ///
  /// - Precondition: ``isAvailable``.
  init() {
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
  static func restore() {
    guard isActive.exchange(false, ordering: .sequentiallyConsistent) else { return }
    // A terminal that stands still, as after Ctrl-S, takes nothing.
    var output = pollfd(fd: 1, events: Int16(POLLOUT), revents: 0)
    if unsafe poll(&output, 1, 0) == 1 {
      unsafe _ = write(1, leaveSequence.utf8Start, leaveSequence.utf8CodeUnitCount)
    }
    unsafe _ = tcsetattr(0, TCSANOW, &savedAttributes)
  }

  /// Restores the terminal, stops the job as Ctrl-Z does, and takes the terminal over again when the job
  /// continues. Without a shell that could continue it, the job does not stop.
  func suspend() {
    RawTerminal.restore()
    kill(0, SIGTSTP)
    RawTerminal.enter()
  }

  /// Draws `lines` from the top left corner, replacing the former content.
  func draw(_ lines: [String]) {
    // Lines are overwritten and the rest of each is erased, which avoids the flicker of clearing.
    StandardOutput.write(
      "\u{1B}[H" + lines.map { $0 + "\u{1B}[K" }.joined(separator: "\r\n") + "\u{1B}[J")
  }

  /// Returns the bytes that have arrived, or else the first that arrive within `milliseconds`; nil at the end of
  /// the input.
  func readBytes(waiting milliseconds: Int) -> [UInt8]? {
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

struct TerminalSize: Sendable {
  let columns: Int
  let rows: Int

  /// The current size; 80 × 24 without a terminal.
  static var current: TerminalSize {
    var size = winsize()
    for descriptor: Int32 in [2, 1, 0] {
      if unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 {
        return TerminalSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
      }
    }
    return TerminalSize(columns: 80, rows: 24)
  }
}

/// A key of the game. Letters are lower case, so that caps lock has no effect.
enum Key: Equatable, Sendable {
  case move(Direction)
  case character(Character)
  case escape
}

/// A parser of the bytes that a terminal sends.
///
/// An arrow is a sequence of three bytes that may arrive in parts. An incomplete sequence waits for the next
/// call.
struct KeyParser: Sendable {
  private var pending: [UInt8] = []

  /// Returns the keys in the rest of the previous call and `bytes`.
  mutating func parse(_ bytes: some Sequence<UInt8>) -> [Key] {
    pending += bytes
    var keys: [Key] = []
    while let key = next() { keys.append(key) }
    return keys
  }

  /// Returns the keys in the rest when no more bytes arrive: an escape without a sequence is the escape key.
  mutating func flush() -> [Key] {
    defer { pending = [] }
    return pending == [0x1B] ? [.escape] : []
  }

  private mutating func next() -> Key? {
    while let first = pending.first {
      if first != 0x1B {
        pending.removeFirst()
        if let key = KeyParser.key(for: Character(Unicode.Scalar(first))) { return key }
        continue
      }
      guard pending.count > 1 else { return nil }
      guard pending[1] == UInt8(ascii: "[") || pending[1] == UInt8(ascii: "O") else {
        pending.removeFirst()
        return .escape
      }
      // The function keys F1 to F5 of the Linux console.
      if pending.count > 2, pending[2] == UInt8(ascii: "[") {
        guard pending.count > 3 else { return nil }
        pending.removeFirst(4)
        continue
      }
      // A control sequence ends with a byte from @ to ~.
      guard let end = pending.dropFirst(2).firstIndex(where: { (0x40...0x7E).contains($0) })
      else { return nil }
      let sequence = Array(pending[2...end])
      pending.removeSubrange(...end)
      if let last = sequence.last, let direction = KeyParser.arrow(last) { return .move(direction) }
    }
    return nil
  }

  private static func arrow(_ byte: UInt8) -> Direction? {
    switch Unicode.Scalar(byte) {
    case "A": .up
    case "B": .down
    case "C": .right
    case "D": .left
    default: nil
    }
  }

  private static func key(for character: Character) -> Key? {
    switch character {
    case "w", "W", "k", "K": .move(.up)
    case "s", "S", "j", "J": .move(.down)
    case "a", "A", "h", "H": .move(.left)
    case "d", "D", "l", "L": .move(.right)
    default: character.isASCII ? .character(Character(character.lowercased())) : nil
    }
  }
}
