import Dispatch
import Foundation
import Synchronization

/// A watcher of the signals that ask a program to end, ``stopSignals``, or to save, ``saveSignals``.
///
/// The first signal to end is a request to stop, which ``received`` holds. A second one ends the program at once,
/// unless it arrives within ``pause``: `timeout`, terminals and schedulers signal a process and its group.
final class SignalWatcher {
  private static let first = Atomic<Int32>(0)

  /// The first signal that arrived while one was watched; nil if none has.
  static var received: Int32? {
    let number = first.load(ordering: .relaxed)
    return number == 0 ? nil : number
  }

  private static let isExpected = Atomic(false)

  /// Whether signals are watched, or will soon be, or were. Otherwise one that arrives ends the program, whatever it
  /// waits for.
  static var isUsed: Bool { isExpected.load(ordering: .relaxed) }

  /// Notes that the command will watch signals.
  static func expect() { isExpected.store(true, ordering: .relaxed) }

  /// The signals to end. SIGXCPU announces a limit of CPU time; the system repeats it every second.
  private static let stopSignals = [SIGINT, SIGTERM, SIGHUP, SIGXCPU]

  /// The signals with which schedulers announce a pause or the end of a job.
  private static let saveSignals = [SIGUSR1, SIGUSR2]

  /// The time within which several signals count as one.
  private static let pause = Duration.milliseconds(500)

  /// The time of the last signal that counted.
  private static let lastCounted = Mutex<ContinuousClock.Instant?>(nil)

  /// Counts a signal, unless another one has just been counted.
  private static func count() -> Bool {
    lastCounted.withLock { last in
      let now = ContinuousClock.now
      if let last, last.duration(to: now) < pause { return false }
      last = now
      return true
    }
  }

  private let watched: [(number: Int32, source: any DispatchSourceSignal)]

  /// Starts to watch until the watcher is released. No signal is missed once this returns.
  ///
  /// A SIGHUP that was ignored from the start, as by `nohup`, stays ignored. An ignored SIGINT is watched:
  /// shells ignore it for background jobs of their scripts, which receive it only on purpose.
  ///
  /// - Parameters:
  ///   - onSignal: Called on a separate queue at every signal to end that counts and does not end the program.
  ///   - mayExit: Returns whether a second signal may end the program now.
  ///   - onSaveRequest: Called on the same queue at every signal to save.
  init(
    onSignal: @escaping @Sendable (_ isFirst: Bool) -> Void = { _ in },
    mayExit: @escaping @Sendable () -> Bool = { true },
    onSaveRequest: @escaping @Sendable () -> Void = {}
  ) {
    SignalWatcher.expect()
    let queue = DispatchQueue(label: "learn2048.signals")
    let numbers = (SignalWatcher.stopSignals + SignalWatcher.saveSignals)
      .filter { $0 != SIGHUP || !SignalWatcher.isIgnored($0) }
    watched = numbers.map { number in
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler {
        if SignalWatcher.saveSignals.contains(number) { return onSaveRequest() }
        guard SignalWatcher.count() else { return }
        let isFirst = SignalWatcher.first.compareExchange(
          expected: 0, desired: number, ordering: .relaxed
        ).exchanged
        if !isFirst, number != SIGXCPU, mayExit() {
          StandardError.shared.endProgress()
          RawTerminal.restore()
          _exit(128 + number)
        }
        onSignal(isFirst)
      }
      let isRegistered = DispatchSemaphore(value: 0)
      source.setRegistrationHandler { isRegistered.signal() }
      source.resume()
      isRegistered.wait()
      #if !os(Linux)
        // On Linux, Dispatch has installed a handler, which this would remove.
        signal(number, SIG_IGN)
      #endif
      return (number, source)
    }
  }

  deinit {
    for (number, source) in watched {
      source.cancel()
      signal(number, SIG_DFL)
    }
  }

  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard unsafe sigaction(number, nil, &action) == 0 else { return false }
    #if os(Linux)
      let handler = unsafe action.__sigaction_handler.sa_handler
    #else
      let handler = unsafe action.__sigaction_u.__sa_handler
    #endif
    return unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
