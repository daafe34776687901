import CIntrinsics
import Foundation
import Synchronization

/// A barrier at which threads meet repeatedly.
///
/// Waiting threads spin for some tens of microseconds, since rounds are short, and then sleep.
///
/// Safety: (1) `arrived` is touched under the lock of the condition only; (2) what a thread wrote before it
/// arrived is visible to all after: arrivals are ordered by the lock, and `generation` is stored with release
/// and loaded with acquire ordering.
package final class ThreadBarrier: @unchecked Sendable {
  private var arrived = 0
  private let generation = Atomic<Int>(0)
  private let condition = NSCondition()

  /// The number of checks before a waiting thread sleeps, some tens of microseconds.
  private static let spins = 4_000

  package init() {}

  /// Waits until all threads have arrived.
  ///
  /// - Parameters:
  ///   - threads: the number of threads, which is the same in every call.
  ///   - last: called by the thread that arrives last, before any thread continues.
  package func wait(for threads: Int, _ last: () -> Void) {
    let own = generation.load(ordering: .relaxed)
    condition.lock()
    arrived += 1
    if arrived == threads {
      arrived = 0
      last()
      generation.store(own &+ 1, ordering: .releasing)
      condition.broadcast()
      condition.unlock()
      return
    }
    condition.unlock()
    for _ in 0..<ThreadBarrier.spins {
      if generation.load(ordering: .acquiring) != own { return }
      ci_pause()
    }
    condition.lock()
    while generation.load(ordering: .acquiring) == own { condition.wait() }
    condition.unlock()
  }
}
