import Dispatch
import Synchronization

/// A timer that calls a closure repeatedly on a separate queue until it is stopped.
package final class ProgressTimer: Sendable {
  private let queue = DispatchQueue(label: "learn2048.progress")
  private let isStopped = Mutex(false)

  /// Starts calling `body` every `seconds`.
  package init(every seconds: Double, _ body: @escaping @Sendable () -> Void) {
    schedule(after: seconds, body)
  }

  private func schedule(after seconds: Double, _ body: @escaping @Sendable () -> Void) {
    queue.asyncAfter(deadline: .now() + seconds) { [weak self] in
      guard let self else { return }
      // The lock is held while the body runs, so that nothing is shown once `stop` has returned.
      let goesOn = isStopped.withLock { isStopped in
        if !isStopped { body() }
        return !isStopped
      }
      if goesOn { schedule(after: seconds, body) }
    }
  }

  /// Ends the calls. No call is running when it returns.
  package func stop() {
    isStopped.withLock { $0 = true }
  }
}
