import CIntrinsics
import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Operating-system threads that work in parallel.
///
/// Unlike tasks of a concurrency pool they may compute for hours without yielding, and their stacks are
/// deep enough for any search.
///
/// Safety: (1) a thread owns the object that its argument points to from its creation on, and releases it
/// before it ends; (2) every thread is joined before `run` returns, so the closure does not
/// outlive its scope; (3) the thread identifiers and attributes are initialised before they are used.
package enum WorkerThreads {
  /// The stack size of each thread, in bytes: twice the usual size on Linux.
  package static let stackSize = 16 << 20
  /// The part of a limited address space that stacks leave for everything else, in bytes.
  private static let addressReserve = 32 << 20

  /// Runs `body` on `count` threads at once, or on as many as the system can start, and returns when all are
  /// done. If no thread can be started, and in the child of a fork, `body` runs on the calling thread.
  ///
  /// - Parameters:
  ///   - body: called on each thread with the thread's index and the number of threads.
  ///   - meanwhile: called on the calling thread, once the others have started.
  /// - Precondition: `count` is at least 1.
  package static func run(
    count: Int, _ body: @Sendable (_ index: Int, _ threads: Int) -> Void,
    meanwhile: () -> Void = {}
  ) {
    precondition(count >= 1, "work needs at least one thread")
    // Stacks must leave some of a limited address space for everything else.
    let most = AddressSpace.available().map { max(1, ($0 - addressReserve) / stackSize) } ?? count
    run(count: min(count, most), stackSize: stackSize, body, meanwhile)
  }

  /// Returns how many of `count` threads can be alive at once now.
  package static func startable(_ count: Int) -> Int {
    let started = Atomic<Int>(0)
    let rendezvous = Rendezvous()
    run(count: count, stackSize: 256 << 10) { _, threads in
      rendezvous.wait(for: threads) { started.store(threads, ordering: .relaxed) }
    }
    return started.load(ordering: .relaxed)
  }

  private static func run(
    count: Int, stackSize: Int, _ body: @Sendable (_ index: Int, _ threads: Int) -> Void,
    _ meanwhile: () -> Void = {}
  ) {
    withoutActuallyEscaping(body) { body in
      var attributes = pthread_attr_t()
      unsafe check(pthread_attr_init(&attributes), "initialise thread attributes")
      unsafe check(pthread_attr_setstacksize(&attributes, stackSize), "set a thread's stack size")
      // The number of threads; locked until it is known.
      let size = Mutex(0)
      let start = { index in Work { body(index, size.withLock(\.self)) } }
      var threads: [Worker] = []
      size.withLock { size in
        while threads.count < count, !ci_is_forked(),
          let thread = Worker(start(threads.count), &attributes)
        {
          threads.append(thread)
        }
        size = threads.count
      }
      meanwhile()
      if threads.isEmpty { body(0, 1) }
      for thread in threads { thread.join() }
      unsafe check(pthread_attr_destroy(&attributes), "destroy thread attributes")
    }
  }

  /// The work of one thread.
  private final class Work: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  private static func check(_ code: Int32, _ action: String) {
    if code != 0 { fatalError("cannot \(action): \(unsafe String(cString: strerror(code)))") }
  }

  /// A running thread.
  @safe
  private struct Worker {
    private let handle: pthread_t

    /// Starts a thread; nil if the system cannot.
    init?(_ work: Work, _ attributes: inout pthread_attr_t) {
      let argument = unsafe Unmanaged.passRetained(work).toOpaque()
      #if os(Linux)
        var thread = pthread_t()
      #else
        var thread: pthread_t?
      #endif
      let code = unsafe pthread_create(
        &thread, &attributes,
        { argument in
          unsafe Worker.perform(argument)
          return nil
        }, argument)
      guard code == 0 else {
        unsafe Unmanaged<Work>.fromOpaque(argument).release()
        return nil
      }
      #if os(Linux)
        handle = thread
      #else
        unsafe handle = thread!
      #endif
    }

    func join() {
      #if os(Linux)
        check(pthread_join(handle, nil), "join a thread")
      #else
        unsafe check(pthread_join(handle, nil), "join a thread")
      #endif
    }

    private static func perform(_ argument: UnsafeMutableRawPointer?) {
      unsafe Unmanaged<Work>.fromOpaque(argument!).takeRetainedValue().body()
    }
  }
}

/// A request to stop, which is passed on to the work of the moment.
///
/// Thread safety: any thread may call everything.
package final class StopRequest: Sendable {
  private let state = Mutex<(isRequested: Bool, passOn: (@Sendable () -> Void)?)>((false, nil))

  package init() {}

  package var isRequested: Bool { state.withLock { $0.isRequested } }

  package func request() {
    state.withLock {
      $0.isRequested = true
      $0.passOn?()
    }
  }

  /// Passes requests on to some work, including an earlier one, or to none for nil.
  package func pass(to work: (@Sendable () -> Void)?) {
    state.withLock {
      $0.passOn = work
      if $0.isRequested { work?() }
    }
  }
}

/// A point at which threads wait for each other, repeatedly. (A *barrier* is where all of a run rests.)
///
/// Waiting threads spin for some tens of microseconds, since rounds are short, and then sleep.
///
/// Safety: (1) `arrived` is touched under the lock of the condition only; (2) what a thread wrote before it
/// arrived is visible to all after: arrivals are ordered by the lock, and `generation` is stored with release
/// and loaded with acquire ordering.
package final class Rendezvous: @unchecked Sendable {
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
    for _ in 0..<Rendezvous.spins {
      if generation.load(ordering: .acquiring) != own { return }
      ci_pause()
    }
    condition.lock()
    while generation.load(ordering: .acquiring) == own { condition.wait() }
    condition.unlock()
  }
}

extension Duration {
  /// The duration in seconds.
  package var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) * 1e-18
  }
}
