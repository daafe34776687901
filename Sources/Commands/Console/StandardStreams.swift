import Basics
import Foundation
import Synchronization

/// Standard error, for messages and lines about the progress that are redrawn in place on a terminal.
///
/// Characters of a text that steer a terminal are escaped, since texts may come from files. If nobody reads them, a
/// command that watches signals does not wait: progress is dropped, and messages follow when somebody reads again.
///
/// Thread safety: any thread may write; lines do not mix.
final class StandardError: Sendable {
  static let shared = StandardError()

  /// Whether progress can be redrawn in place.
  let isTerminal = isatty(2) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"

  private let progress = Mutex(ProgressLines())
  private let outlet = Outlet("errors", capacity: 256)
  private let lastCount = Mutex(ContinuousClock.now)

  /// Writes a message on separate lines, above the progress if there is any.
  func line(_ text: String) {
    write { $0.inserting(text.printable(keepsLines: true), columns: TerminalSize.current.columns) }
  }

  /// Redraws the progress, cut to the width of the terminal.
  ///
  /// - Precondition: ``isTerminal``, and there are fewer lines than the terminal has.
  func showProgress(_ lines: [String]) {
    guard outlet.isIdle else { return }
    write {
      $0.replacing(with: lines.map { $0.printable() }, columns: TerminalSize.current.columns)
    }
  }

  /// Redraws how much of the work is done, at most ten times per second, and on a terminal only.
  func showCount(_ done: Int, of total: Int, _ unit: String) {
    guard isTerminal else { return }
    let isDue = lastCount.withLock { last in
      guard last.duration(to: .now) >= .milliseconds(100) else { return false }
      last = .now
      return true
    }
    if isDue { showProgress(["\(NumberText.grouped(done))/\(NumberText.grouped(total)) \(unit)"]) }
  }

  /// Writes the progress on separate lines, unless they say what the last ones said.
  func logProgress(_ lines: [String]) {
    guard outlet.isIdle else { return }
    progress.withLock { $0.news(lines) }.forEach(line)
  }

  func endProgress() {
    write { $0.replacing(with: [], columns: TerminalSize.current.columns) }
  }

  private func write(_ text: (inout ProgressLines) -> String) {
    progress.withLock { progress in
      let text = text(&progress)
      if text.isEmpty { return }
      let write = { @Sendable in try? FileHandle.standardError.write(contentsOf: Data(text.utf8)) }
      if SignalWatcher.isUsed { outlet.add { write() } } else { write() }
    }
    outlet.settle()
  }
}

/// Standard output, for data.
///
/// A reader that has gone away does not stop the work. Any other failure, such as a full disk, is reported at
/// the end of the work; see ``error``. A command that watches signals does not wait for a reader that stands still
/// until its work is done, see ``finish()``.
enum StandardOutput {
  private static let failure = Mutex<String?>(nil)
  private static let isTerminal = isatty(1) == 1

  private static let outlet = Outlet("output", capacity: 10_000)

  /// The reason of the first failed write; nil if there was none, or the reader has gone away.
  static var error: String? { failure.withLock(\.self) }

  /// Writes text as it is, with control sequences for a terminal if it has any.
  static func write(_ text: String) {
    guard SignalWatcher.isUsed else { return writeNow(text) }
    if !outlet.add({ writeNow(text) }) { note("nobody reads it") }
    outlet.settle()
  }

  /// Waits until everything is written, unless a signal has ended the work.
  static func finish() {
    if SignalWatcher.received == nil { outlet.finish() }
  }

  private static func note(_ problem: String) {
    failure.withLock { if $0 == nil { $0 = problem } }
  }

  private static func writeNow(_ text: String) {
    var bytes = Array(text.utf8)[...]
    let isTerminal = isTerminal
    while !bytes.isEmpty {
      let count = unsafe bytes.withUnsafeBytes { unsafe systemWrite(1, $0.baseAddress, $0.count) }
      if count >= 0 {
        bytes = bytes.dropFirst(count)
      } else if errno == EAGAIN {
        // A pipe that the reader has made non-blocking, and that is full.
        var output = pollfd(fd: 1, events: Int16(POLLOUT), revents: 0)
        _ = unsafe poll(&output, 1, -1)
      } else if errno != EINTR {
        // EIO is the error of a closed terminal, and of a failing disk.
        if errno != EPIPE && !(errno == EIO && isTerminal) {
          note(unsafe String(cString: strerror(errno)))
        }
        return
      }
    }
  }

  /// Writes text and a newline.
  ///
  /// Characters that steer a terminal are escaped, since texts may come from files.
  static func line(_ text: String) { write(text.printable(keepsLines: true) + "\n") }

  /// Returns whether standard output is the file at `path`.
  static func goes(to path: String) -> Bool {
    var (file, output) = (stat(), stat())
    guard unsafe stat(path, &file) == 0, unsafe fstat(1, &output) == 0 else { return false }
    return file.st_dev == output.st_dev && file.st_ino == output.st_ino
  }
}

/// Calls `write`, which a method of that name hides.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  unsafe write(descriptor, bytes, count)
}

/// The lines about the progress at the bottom of a terminal, and the texts that redraw them in place.
///
/// The cursor stays at the start of the last line, where a terminal that shows `^C` for Ctrl-C does not begin a new line.
/// The lines need no mode of the terminal, so nothing has to be restored if the program ends.
struct ProgressLines {
  private var lines: [String] = []
  private var logged: [String] = []

  /// Returns the text that draws other lines in place of these, cut to the width.
  ///
  /// - Parameters:
  ///   - new: The lines, which are fewer than those of the terminal; none to erase these.
  ///   - columns: The width of the terminal.
  mutating func replacing(with new: [String], columns: Int) -> String {
    if lines.isEmpty, new.isEmpty { return "" }
    let start = toStart(columns: columns)
    // A full line would leave the cursor in a state that terminals disagree on.
    lines = new.map { String($0.prefix(max(0, columns - 1))) }
    // Lines are overwritten and the rest of each is erased, which avoids the flicker of clearing.
    return start + lines.map { $0 + "\u{1B}[K" }.joined(separator: "\n") + "\u{1B}[J\r"
  }

  /// Returns the text that writes a message above the lines.
  func inserting(_ text: String, columns: Int) -> String {
    if lines.isEmpty { return text + "\n" }
    return toStart(columns: columns) + "\u{1B}[J" + text + "\n" + lines.joined(separator: "\n")
      + "\r"
  }

  /// The text that moves the cursor to the start of the first line.
  ///
  /// A terminal that has become narrower has wrapped the lines that are wider now.
  private func toStart(columns: Int) -> String {
    let rows = lines.dropLast()
      .reduce(0) { $0 + max(1, ($1.count + columns - 1) / max(1, columns)) }
    return "\r" + (rows > 0 ? "\u{1B}[\(rows)A" : "")
  }

  /// Returns the lines to write to a log, where they cannot be redrawn: none if they say what the last ones said, as
  /// during a long save.
  mutating func news(_ new: [String]) -> [String] {
    defer { logged = new }
    return new == logged ? [] : new
  }
}
