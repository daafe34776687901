import Basics
import Foundation
import Logging

/// A log handler that appends messages to a file, one per line with its time.
///
/// Messages that cannot be written are lost: a full log must not end a run.
public struct LogFile: LogHandler {
  public var metadata: Logger.Metadata = [:]
  public var logLevel = Logger.Level.info
  private let path: String

  /// Creates a handler for the file at `path`, such as `RunDirectory.logPath`.
  public init(path: String) {
    self.path = path
  }

  public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  public func log(event: LogEvent) {
    let line = "\(Date.now.formatted(.iso8601)) \(event.level) \(event.message)"
    try? appendToFile(Data((line.printable() + "\n").utf8), at: path)
  }
}
