import Foundation
import Logging

/// Writes log messages to a run's `log.txt`, one a line with its time.
///
/// A log that cannot be written must not end a run: such lines are lost.
public struct LogFile: LogHandler {
  public var metadata: Logger.Metadata = [:]
  public var logLevel = Logger.Level.info
  private let path: String

  /// A log that is appended to `path`.
  public init(path: String) {
    self.path = path
  }

  public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  public func log(event: LogEvent) {
    let line = "\(Date.now.formatted(.iso8601)) \(event.level) \(event.message)\n"
    try? appendToFile(Data(line.utf8), at: path)
  }
}
