import Synchronization

/// How many moves of a game have been played, for other threads to see.
final class MoveCount: Sendable {
  private let count = Atomic<Int>(0)

  /// How seldom a game of many moves a second tells its count, in moves.
  static let interval = 16

  var value: Int { count.load(ordering: .relaxed) }

  func set(_ moves: Int) { count.store(moves, ordering: .relaxed) }
}
