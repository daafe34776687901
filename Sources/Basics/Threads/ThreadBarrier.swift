import CIntrinsics
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A barrier at which threads meet repeatedly.
///
/// Waiting threads spin for some tens of microseconds, since rounds are short, and then sleep.
///
/// Safety: (1) the mutex and the condition live on the heap, are initialised in `init` and destroyed
/// in `deinit`; (2) `arrived` is touched under the mutex only; (3) what a thread wrote before it arrived
/// is visible to all after: arrivals are ordered by the mutex, and `generation` is stored with release
/// and loaded with acquire ordering.
@safe
package final class ThreadBarrier: @unchecked Sendable {
  private var arrived = 0
  private let generation = Atomic<Int>(0)
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>

  /// The number of checks before a waiting thread sleeps, some tens of microseconds.
  private static let spins = 4_000

  package init() {
    unsafe mutex = .allocate(capacity: 1)
    unsafe condition = .allocate(capacity: 1)
    unsafe mutex.initialize(to: pthread_mutex_t())
    unsafe condition.initialize(to: pthread_cond_t())
    let codes = unsafe (pthread_mutex_init(mutex, nil), pthread_cond_init(condition, nil))
    precondition(codes == (0, 0), "cannot make a barrier")
  }

  deinit {
    unsafe pthread_cond_destroy(condition)
    unsafe pthread_mutex_destroy(mutex)
    unsafe condition.deallocate()
    unsafe mutex.deallocate()
  }

  /// Waits until all threads have arrived.
  ///
  /// - Parameters:
  ///   - threads: the number of threads, which is the same in every call.
  ///   - last: called by the thread that arrives last, before any thread continues.
  package func wait(for threads: Int, _ last: () -> Void) {
    let own = generation.load(ordering: .relaxed)
    unsafe pthread_mutex_lock(mutex)
    arrived += 1
    if arrived == threads {
      arrived = 0
      last()
      generation.store(own &+ 1, ordering: .releasing)
      unsafe pthread_cond_broadcast(condition)
      unsafe pthread_mutex_unlock(mutex)
      return
    }
    unsafe pthread_mutex_unlock(mutex)
    for _ in 0..<ThreadBarrier.spins {
      if generation.load(ordering: .acquiring) != own { return }
      ci_pause()
    }
    unsafe pthread_mutex_lock(mutex)
    while generation.load(ordering: .acquiring) == own {
      unsafe pthread_cond_wait(condition, mutex)
    }
    unsafe pthread_mutex_unlock(mutex)
  }
}
