import Console
import Foundation
import Synchronization

/// The first ending signal that arrived.
final class ReceivedSignal: Sendable {
  private let first = Atomic<Int32>(0)

  /// Remembers `signal`; false if another came before it.
  func record(_ signal: Int32) -> Bool {
    first.compareExchange(expected: 0, desired: signal, ordering: .relaxed).exchanged
  }

  /// Remembers `signal`; a second one ends the program at once, for those who will not wait.
  func recordOrExit(_ signal: Int32) {
    if record(signal) { return }
    StandardError.shared.endProgress()
    RawTerminal.restore()
    _exit(128 + signal)
  }

  var number: Int32? {
    let number = first.load(ordering: .relaxed)
    return number == 0 ? nil : number
  }
}
