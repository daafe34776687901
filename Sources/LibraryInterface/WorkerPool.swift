import Basics
import CIntrinsics
import Foundation
import Synchronization

/// Threads that stay between calls and share the chunks of a batch.
///
/// A batch of environments is stepped in some tens of microseconds, in which no thread can be started. The calling
/// thread takes chunks, too, and does all work alone while another call uses the pool.
///
/// Safety: (1) a thread reads `job` after it has claimed a chunk, and the pointer is valid until all chunks are done;
/// (2) `remaining` is published with release and claimed with acquire ordering after `job` was stored, and `done` is
/// counted with release and read with acquire ordering; (3) threads retain the pool, so it is never freed under them.
@safe
final class WorkerPool: @unchecked Sendable {
  private struct Job {
    let body: (Int) -> Void
  }

  /// The number of checks before a thread without work sleeps.
  private static let spins = 2_000

  private let job = Atomic<UInt>(0)
  /// The number of chunks that no thread has claimed.
  private let remaining = Atomic<Int>(0)
  private let done = Atomic<Int>(0)
  /// The number of threads that may take chunks, besides the caller.
  private let invited = Atomic<Int>(0)
  private let sleeping = Atomic<Int>(0)
  private let isTaken = Atomic<Bool>(false)
  private let condition = NSCondition()
  private var threads = 0

  /// Calls `body` once for each of `chunks` numbers, on up to `threads` threads.
  func run(chunks: Int, threads count: Int, _ body: (_ chunk: Int) -> Void) {
    if min(chunks, count) <= 1 || ci_is_forked() || isTaken.exchange(true, ordering: .acquiring) {
      for chunk in 0..<chunks { body(chunk) }
      return
    }
    defer { isTaken.store(false, ordering: .releasing) }
    addThreads(upTo: min(chunks, count) - 1)
    withoutActuallyEscaping(body) { body in
      unsafe withUnsafePointer(to: Job(body: body)) { pointer in
        job.store(UInt(bitPattern: pointer), ordering: .relaxed)
        done.store(0, ordering: .relaxed)
        invited.store(min(chunks, count) - 1, ordering: .relaxed)
        remaining.store(chunks, ordering: .sequentiallyConsistent)
        if sleeping.load(ordering: .sequentiallyConsistent) > 0 {
          condition.lock()
          condition.broadcast()
          condition.unlock()
        }
        work()
        var spins = 0
        while done.load(ordering: .acquiring) < chunks {
          ci_pause()
          spins += 1
          if spins > WorkerPool.spins { sched_yield() }
        }
      }
    }
  }

  /// Takes chunks while there are any.
  private func work() {
    var open = remaining.load(ordering: .acquiring)
    while open > 0 {
      let claim = remaining.weakCompareExchange(
        expected: open, desired: open - 1, ordering: .acquiringAndReleasing)
      guard claim.exchanged else {
        open = claim.original
        continue
      }
      let pointer = unsafe UnsafePointer<Job>(bitPattern: job.load(ordering: .relaxed))!
      unsafe pointer.pointee.body(open - 1)
      done.wrappingAdd(1, ordering: .releasing)
      open = remaining.load(ordering: .acquiring)
    }
  }

  private func addThreads(upTo count: Int) {
    while threads < count, start(threads) { threads += 1 }
  }

  /// Starts a thread that handles no signals; returns whether the system could.
  private func start(_ number: Int) -> Bool {
    var (every, before) = (sigset_t(), sigset_t())
    unsafe sigfillset(&every)
    unsafe pthread_sigmask(SIG_SETMASK, &every, &before)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
    let thread = Thread { [self] in
      while true {
        wait(number)
        work()
      }
    }
    thread.stackSize = WorkerThreads.stackSize
    thread.start()
    return true
  }

  /// Waits until there are chunks for thread `number`.
  private func wait(_ number: Int) {
    func isWanted() -> Bool {
      remaining.load(ordering: .sequentiallyConsistent) > 0
        && number < invited.load(ordering: .relaxed)
    }
    for _ in 0..<WorkerPool.spins {
      if isWanted() { return }
      ci_pause()
    }
    condition.lock()
    sleeping.wrappingAdd(1, ordering: .sequentiallyConsistent)
    while !isWanted() { condition.wait() }
    sleeping.wrappingSubtract(1, ordering: .sequentiallyConsistent)
    condition.unlock()
  }
}

extension WorkerPool {
  /// Calls `body` with ranges that cover `0..<count`, of up to `length` elements each.
  func run(over count: Int, by length: Int, threads: Int, _ body: (Range<Int>) -> Void) {
    run(chunks: (count + length - 1) / length, threads: threads) { chunk in
      body((chunk * length)..<min(count, (chunk + 1) * length))
    }
  }
}
