import Game2048

/// The 2 × 2 game solved exactly, as a yardstick for what is learned on it.
///
/// Every spawn adds to the sum of the tiles, so the game cannot come back to a state, and plain
/// recursion with a memory of what is known values every state.
public final class SolvedGame {
  /// A policy: the move to make, or nil where none is legal.
  public typealias Policy = (Board) -> Direction?

  public let rules: Rules
  private let policy: Policy?
  private var known: [Board: Double] = [:]

  /// The values under `policy`, or under the best play if it is nil.
  public init(rules: Rules, policy: Policy? = nil) {
    precondition(rules.size == 2, "larger boards have too many states")
    self.rules = rules
    self.policy = policy
  }

  /// The points still to come from `state`.
  public func value(ofState state: Board) -> Double {
    let directions = policy.map { [$0(state)].compactMap { $0 } } ?? Direction.allCases
    return directions.compactMap { direction in
      rules.move(state, direction).map { Double($0.reward) + value(ofAfterstate: $0.afterstate) }
    }.max() ?? 0
  }

  /// The points still to come from `afterstate`, before its spawn.
  public func value(ofAfterstate afterstate: Board) -> Double {
    if let value = known[afterstate] { return value }
    var sum = 0.0
    rules.forEachSpawn(on: afterstate) { sum += $1 * value(ofState: $0) }
    known[afterstate] = sum
    return sum
  }

  /// The mean score of a game from its start.
  public var startValue: Double {
    var sum = 0.0
    rules.forEachSpawn(on: Board()) { first, probability in
      var inner = 0.0
      rules.forEachSpawn(on: first) { inner += $1 * value(ofState: $0) }
      sum += probability * inner
    }
    return sum
  }
}
