import Logging
import Synchronization

/// A log handler that keeps the messages.
public final class RecordedLog: LogHandler, Sendable {
  public let messages = Mutex<[String]>([])

  public init() {}

  public var metadata: Logger.Metadata {
    get { [:] }
    set {}
  }
  public var logLevel: Logger.Level {
    get { .info }
    set {}
  }

  public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { nil }
    set {}
  }

  public func log(event: LogEvent) {
    messages.withLock { $0.append("\(event.message)") }
  }
}
