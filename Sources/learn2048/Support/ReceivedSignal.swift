import Console
import Foundation
import Synchronization

/// The record of the first ending signal.
final class ReceivedSignal: Sendable {
  private let first = Atomic<Int32>(0)

  /// Records `signal`; returns false if another came first.
  func record(_ signal: Int32) -> Bool {
    first.compareExchange(expected: 0, desired: signal, ordering: .relaxed).exchanged
  }

  /// Records `signal`; if another came first, ends the program at once.
  func recordOrExit(_ signal: Int32) {
    if record(signal) { return }
    StandardError.shared.endProgress()
    RawTerminal.restore()
    _exit(128 + signal)
  }

  /// The number of the signal; nil if none has arrived.
  var number: Int32? {
    let number = first.load(ordering: .relaxed)
    return number == 0 ? nil : number
  }
}
