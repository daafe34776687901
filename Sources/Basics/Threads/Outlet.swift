import Dispatch
import Foundation
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
  package static let patience = Duration.seconds(1)

  private struct State {
    /// The number of parts that have been added, and of those that are done.
    var added = 0
    var done = 0
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
  package var isIdle: Bool { state.withLock { $0.added == $0.done } }

  /// Adds work; returns false if it is dropped, because too much waits already.
  @discardableResult
  package func add(_ work: @escaping @Sendable () -> Void) -> Bool {
    state.withLock { state in
      guard state.added - state.done < capacity else { return false }
      state.added += 1
      // Under the lock, so that work is done in the order in which it was added.
      queue.async {
        work()
        self.state.withLock { state in
          state.done += 1
          state.isStalled = false
        }
      }
      return true
    }
  }

  /// Waits until the work that has been added is done, or until it has not been for ``patience``. After that, nobody
  /// waits until some of it is done.
  package func settle() {
    let added = state.withLock(\.added)
    let began = ContinuousClock.now
    // A semaphore would wait by the clock of the system, which may be set.
    var pause: UInt32 = 20
    while !state.withLock({ $0.done >= added || $0.isStalled }) {
      if began.duration(to: .now) > Outlet.patience {
        return state.withLock { $0.isStalled = $0.done < added }
      }
      usleep(pause)
      pause = min(2 * pause, 10_000)
    }
  }

  /// Waits until the work is done, however long that takes.
  package func finish() { queue.sync {} }
}
