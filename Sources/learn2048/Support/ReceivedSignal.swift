import Synchronization

/// The first ending signal that arrived.
final class ReceivedSignal: Sendable {
  private let first = Atomic<Int32>(0)

  /// Remembers `signal`; false if another came before it.
  func record(_ signal: Int32) -> Bool {
    first.compareExchange(expected: 0, desired: signal, ordering: .relaxed).exchanged
  }

  var number: Int32? {
    let number = first.load(ordering: .relaxed)
    return number == 0 ? nil : number
  }
}
