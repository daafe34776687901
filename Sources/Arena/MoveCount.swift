import Synchronization

/// The number of moves played so far in a game, readable by other threads.
final class MoveCount: Sendable {
  private let count = Atomic<Int>(0)

  /// The number of moves between two updates of the count, so that fast games rarely update it.
  static let interval = 16

  var value: Int { count.load(ordering: .relaxed) }

  func set(_ moves: Int) { count.store(moves, ordering: .relaxed) }
}
