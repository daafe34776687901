import Basics
import Foundation
import Logging
import Synchronization

/// A log handler that appends messages to a file, one per line with its time.
///
/// Messages that cannot be written are lost: a full log must not end a run, and a disk that stands still must not delay
/// it. A file that has grown to ``sizeLimit`` is renamed, from `log.txt` to `log.1.txt`, and replaces the one before.
public struct LogFile: LogHandler {
  /// The length at which a new file is begun, in bytes.
  public static let sizeLimit = 4 << 20

  public var metadata: Logger.Metadata = [:]
  public var logLevel = Logger.Level.info
  private let path: String
  private let sizeLimit: Int
  private let state = State()
  private let onFailure: @Sendable (String) -> Void

  private final class State: Sendable {
    /// Whether the last message could not be written.
    let isFailing = Mutex(false)
    let outlet = Outlet("log", capacity: 256)
  }

  /// Creates a handler for the file at `path`, such as `RunDirectory.logPath`.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - sizeLimit: The length at which a new file is begun, in bytes.
  ///   - onFailure: Called with the reason when a message cannot be written, but not again until one can.
  public init(
    path: String, sizeLimit: Int = LogFile.sizeLimit,
    onFailure: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.path = path
    self.sizeLimit = sizeLimit
    self.onFailure = onFailure
  }

  public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  public func log(event: LogEvent) {
    let message = "\(event.message)".printable()
    let line = "\(Date.now.formatted(.iso8601)) \(event.level) \(message)\n"
    let operations = FileOperations.current
    state.outlet.add { [self] in
      FileOperations.$current.withValue(operations) { append(line) }
    }
    state.outlet.settle()
  }

  private func append(_ line: String) {
    state.isFailing.withLock { isFailing in
      do {
        rotate()
        try appendToFile(line.utf8, at: path)
        isFailing = false
      } catch {
        if !isFailing { onFailure("\(error) Messages are missing in it until then.") }
        isFailing = true
      }
    }
  }

  /// Returns the path of the file before the one at `path`.
  static func formerPath(of path: String) -> String {
    let url = URL(fileURLWithPath: path)
    return url.deletingPathExtension().path + ".1." + url.pathExtension
  }

  private func rotate() {
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_size >= sizeLimit
    else { return }
    _ = unsafe rename(path, LogFile.formerPath(of: path))
  }
}
