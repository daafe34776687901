import Foundation
import Synchronization

/// A reader that reads a descriptor to its end on a separate thread, so that the writer never waits.
final class Collector: Sendable {
  private struct State {
    var bytes: [UInt8] = []
    var hasEnded = false
  }

  private let state = Mutex(State())

  /// Starts to read. The descriptor must stay open until ``hasEnded``.
  init(reading descriptor: Int32) {
    Thread.detachNewThread { [self] in
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        let count = read(descriptor, &buffer, buffer.count)
        if count < 0, errno == EINTR { continue }
        state.withLock {
          // Reading a pseudo-terminal that no process has open fails.
          if count > 0 { $0.bytes += buffer[..<count] } else { $0.hasEnded = true }
        }
        if count <= 0 { return }
      }
    }
  }

  /// The bytes read so far.
  var text: String { state.withLock { String(decoding: $0.bytes, as: UTF8.self) } }

  var hasEnded: Bool { state.withLock { $0.hasEnded } }
}

/// The error of a condition that did not become true in time.
struct Timeout: Error, CustomStringConvertible {
  let description: String
}

/// Waits until `condition` holds.
///
/// - Throws: ``Timeout`` with `situation` after 30 seconds, far longer than any test should take.
func wait(
  for what: String, situation: () -> String = { "" }, until condition: () throws -> Bool
) throws {
  let deadline = ContinuousClock.now + .seconds(30)
  while try !condition() {
    guard ContinuousClock.now < deadline else {
      throw Timeout(description: "waited in vain for \(what)\n\(situation())")
    }
    usleep(2_000)
  }
}
