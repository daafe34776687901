import Game2048

/// The exact solution of the 2 × 2 game, as a reference for learned values.
///
/// Every spawn increases the sum of the tiles, so the game cannot return to a state. Recursion with
/// memoisation therefore computes the value of every state.
public final class SolvedGame {
  /// A policy: returns the move to make, or nil if no move is legal.
  public typealias Policy = (Board) -> Direction?

  public let rules: Rules
  private let policy: Policy?
  private var known: [Board: Double] = [:]

  /// Creates the solution for `policy`, or for optimal play if it is nil.
  public init(rules: Rules, policy: Policy? = nil) {
    precondition(rules.size == 2, "larger boards have too many states")
    self.rules = rules
    self.policy = policy
  }

  /// Returns the expected future points from `state`.
  public func value(ofState state: Board) -> Double {
    let directions = policy.map { [$0(state)].compactMap { $0 } } ?? Direction.allCases
    return directions.compactMap { direction in
      rules.move(state, direction).map { Double($0.reward) + value(ofAfterstate: $0.afterstate) }
    }.max() ?? 0
  }

  /// Returns the expected future points from `afterstate`, before its spawn.
  public func value(ofAfterstate afterstate: Board) -> Double {
    if let value = known[afterstate] { return value }
    var sum = 0.0
    rules.forEachSpawn(on: afterstate) { sum += $1 * value(ofState: $0) }
    known[afterstate] = sum
    return sum
  }

  /// The expected score of a game.
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
