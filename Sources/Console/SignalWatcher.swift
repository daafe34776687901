import Dispatch
import Foundation

/// A watcher that calls a handler on a separate queue when a signal arrives that would end the program.
package final class SignalWatcher {
  /// The signals that ask a program to end: SIGINT, SIGTERM and SIGHUP.
  package static let endingSignals = [SIGINT, SIGTERM, SIGHUP]

  private let watched: [(number: Int32, source: any DispatchSourceSignal)]

  /// Starts to watch ``endingSignals`` until the watcher is released. No signal is missed once this returns.
  ///
  /// A SIGHUP that was ignored from the start, as by `nohup`, stays ignored. An ignored SIGINT is watched:
  /// shells ignore it for background jobs of their scripts, which receive it only on purpose.
  package init(_ handler: @escaping @Sendable (_ signal: Int32) -> Void) {
    let queue = DispatchQueue(label: "learn2048.signals")
    let numbers = SignalWatcher.endingSignals.filter {
      $0 != SIGHUP || !SignalWatcher.isIgnored($0)
    }
    watched = numbers.map { number in
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler { handler(number) }
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
