import Dispatch
import Foundation

/// Calls a handler on a queue of its own when one of the signals that end a program arrives,
/// instead of letting the signal end it.
package final class SignalWatcher {
  /// The signals that ask a program to end: SIGINT, SIGTERM and SIGHUP.
  package static let endingSignals = [SIGINT, SIGTERM, SIGHUP]

  private let watched: [(number: Int32, source: any DispatchSourceSignal)]

  /// Watches ``endingSignals`` as long as the watcher lives, and once this returns misses none; but a
  /// SIGHUP that was ignored from the start, as by `nohup`, stays ignored.
  ///
  /// A SIGINT does not: shells ignore it for what their scripts start in the background, where it can
  /// come only from somebody who means it.
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
        // On Linux, Dispatch has a handler in place by now, which this would undo.
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
