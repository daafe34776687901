#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Threads of the operating system that work side by side on one thing.
///
/// Unlike tasks of a concurrency pool they may compute for hours without giving way, and their stacks
/// are deep enough for any search.
///
/// Safety: (1) a thread owns the object that its argument points at, from its creation on, and gives
/// it up before it ends; (2) every thread is joined before `run` returns, so the closure does not
/// outlive its scope; (3) the thread identifiers and attributes are initialised before they are used.
public enum WorkerThreads {
  /// The stack of each thread, in bytes: twice what threads usually have on Linux.
  public static let stackSize = 16 << 20

  /// Runs `body` on `count` threads at once, with indices `0..<count`, and returns when all are done.
  ///
  /// - Parameter orFewer: whether the threads that the system has to give will do, and this one alone if it
  ///   has none.
  /// - Precondition: `count` is at least 1, and the system has the threads to give, or `orFewer`.
  public static func run(
    count: Int, orFewer: Bool = false, _ body: @Sendable (_ index: Int) -> Void
  ) {
    precondition(count >= 1, "work needs at least one thread")
    withoutActuallyEscaping(body) { body in
      var attributes = pthread_attr_t()
      unsafe check(pthread_attr_init(&attributes), "initialise thread attributes")
      unsafe check(pthread_attr_setstacksize(&attributes, stackSize), "set a thread's stack size")
      var threads: [Thread] = []
      while threads.count < count {
        let work = Work(index: threads.count, body: body)
        if let thread = Thread(work, &attributes, waits: !orFewer) {
          threads.append(thread)
        } else {
          guard orFewer else { fatalError("cannot start a thread: the system has none to give") }
          if threads.isEmpty { body(0) }
          break
        }
      }
      for thread in threads { thread.join() }
      unsafe check(pthread_attr_destroy(&attributes), "destroy thread attributes")
    }
  }

  /// What one thread has to do.
  private final class Work: Sendable {
    let index: Int
    let body: @Sendable (Int) -> Void

    init(index: Int, body: @escaping @Sendable (Int) -> Void) {
      self.index = index
      self.body = body
    }
  }

  private static func check(_ code: Int32, _ action: String) {
    if code != 0 { fatalError("cannot \(action): \(unsafe String(cString: strerror(code)))") }
  }

  /// A running thread.
  @safe
  private struct Thread {
    private let handle: pthread_t

    /// - Returns: nil if the system has no thread to give.
    init?(_ work: Work, _ attributes: inout pthread_attr_t, waits: Bool) {
      let argument = unsafe Unmanaged.passRetained(work).toOpaque()
      #if os(Linux)
        var thread = pthread_t()
        let code = Thread.tryToCreate(waits: waits) {
          unsafe pthread_create(
            &thread, &attributes,
            { argument in
              unsafe Thread.perform(argument!)
              return nil
            }, argument)
        }
      #else
        var thread: pthread_t?
        let code = Thread.tryToCreate(waits: waits) {
          unsafe pthread_create(
            &thread, &attributes,
            { argument in
              unsafe Thread.perform(argument)
              return nil
            }, argument)
        }
      #endif
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

    /// Tries again while the system has no thread to give, if it `waits`, for up to 10 s: a training must
    /// not end of that.
    private static func tryToCreate(waits: Bool, _ create: () -> Int32) -> Int32 {
      for _ in 0..<(waits ? 100 : 0) {
        let code = create()
        if code != EAGAIN { return code }
        usleep(100_000)
      }
      return create()
    }

    func join() {
      #if os(Linux)
        check(pthread_join(handle, nil), "join a thread")
      #else
        unsafe check(pthread_join(handle, nil), "join a thread")
      #endif
    }

    private static func perform(_ argument: UnsafeMutableRawPointer) {
      let work = unsafe Unmanaged<Work>.fromOpaque(argument).takeRetainedValue()
      work.body(work.index)
    }
  }
}
