import Basics
import Foundation
import Synchronization

/// Standard output, for data.
///
/// A reader that has gone away does not stop the work. Any other failure, such as a full disk, is reported at
/// the end of the work; see ``error``.
package enum StandardOutput {
  private static let failure = Mutex<String?>(nil)
  private static let isTerminal = isatty(1) == 1

  /// The reason of the first failed write; nil if there was none, or the reader has gone away.
  package static var error: String? { failure.withLock(\.self) }

  /// Writes text as it is, with control sequences for a terminal if it has any.
  package static func write(_ text: String) {
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
          let text = unsafe String(cString: strerror(errno))
          failure.withLock { if $0 == nil { $0 = text } }
        }
        return
      }
    }
  }

  /// Writes text and a newline.
  ///
  /// Characters that steer a terminal are escaped, since texts may come from files.
  package static func line(_ text: String) { write(text.printable(keepsLines: true) + "\n") }

  /// Returns whether standard output is the file at `path`.
  package static func goes(to path: String) -> Bool {
    var (file, output) = (stat(), stat())
    guard unsafe stat(path, &file) == 0, unsafe fstat(1, &output) == 0 else { return false }
    return file.st_dev == output.st_dev && file.st_ino == output.st_ino
  }
}

/// Calls `write`, which a method of that name hides.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  unsafe write(descriptor, bytes, count)
}
