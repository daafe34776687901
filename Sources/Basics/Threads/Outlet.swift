import Dispatch
import Synchronization

/// Work that may wait for somebody else, such as the reader of a pipe or a disk in the network, in order and on a
/// separate thread.
///
/// Whoever adds work waits for it only as long as it proceeds, see ``settle()``. So nothing else depends on a stream
/// that nobody reads.
///
/// Thread safety: any thread may call.
package final class Outlet: Sendable {
  /// The time after which nobody waits for the work any longer.
  package static let patience = DispatchTimeInterval.seconds(1)

  private struct State {
    /// The number of parts that have been added and are not done.
    var pending = 0
    /// Whether somebody has waited in vain since the last part was done.
    var isStalled = false
  }

  private let capacity: Int
  private let queue: DispatchQueue
  private let state = Mutex(State())

  /// - Parameter capacity: The number of parts that wait at most; further ones are dropped.
  package init(_ name: String, capacity: Int) {
    self.capacity = capacity
    queue = DispatchQueue(label: "learn2048.\(name)")
  }

  /// Whether all work is done.
  package var isIdle: Bool { state.withLock { $0.pending == 0 } }

  /// Adds work; returns false if it is dropped, because too much waits already.
  @discardableResult
  package func add(_ work: @escaping @Sendable () -> Void) -> Bool {
    state.withLock { state in
      guard state.pending < capacity else { return false }
      state.pending += 1
      // Under the lock, so that work is done in the order in which it was added.
      queue.async {
        work()
        self.state.withLock { state in
          state.pending -= 1
          state.isStalled = false
        }
      }
      return true
    }
  }

  /// Waits until the work is done, or until it has not been for ``patience``. After that, nobody waits until some of it
  /// is done.
  package func settle() {
    if state.withLock({ $0.pending == 0 || $0.isStalled }) { return }
    let isDone = DispatchSemaphore(value: 0)
    queue.async { isDone.signal() }
    if isDone.wait(timeout: .now() + Outlet.patience) == .timedOut {
      state.withLock { $0.isStalled = $0.pending > 0 }
    }
  }

  /// Waits until the work is done, however long that takes.
  package func finish() { queue.sync {} }
}
