import Game2048

/// A value function of afterstates, learned or hand-tuned, that any player can search with.
///
/// A player chooses the move with the largest action value, `rewardWeight · reward + value(afterstate)`.
/// An expectimax search backs up the same sum. The properties let every search handle the values
/// correctly.
public protocol Evaluator: Sendable {
  /// The weight of rewards in an action value: 1 for a network, whose value is the points still to
  /// come, and 0 for a hand-tuned evaluator.
  var rewardWeight: Double { get }

  /// The value of a state without a legal move.
  ///
  /// It is 0 for a network and for `RowScore`. An evaluator whose values can be negative
  /// needs a value below that of any board.
  var terminalValue: Double { get }

  /// Returns the value below which a search from `board` gives an afterstate up: what follows is not searched, and the
  /// afterstate is valued as it stands.
  ///
  /// −∞ by default: no afterstate is given up.
  func hopelessValue(from board: Board) -> Double

  /// Returns the value of `afterstate`, without the reward of the move that reached it.
  func value(of afterstate: Board) -> Double

  /// Writes the values of many afterstates.
  ///
  /// Searches request most of their values this way. By default, the function calls ``value(of:)`` for
  /// one afterstate after the other.
  ///
  /// - Parameters:
  ///   - planes: The planes of the afterstates, which have no tile above 32768.
  ///   - count: The number of afterstates.
  ///   - values: Room for `count` values.
  @unsafe
  func write(
    valuesOfPlanes planes: UnsafePointer<UInt64>, count: Int,
    to values: UnsafeMutablePointer<Double>)
}

extension Evaluator {
  /// Returns −∞: no afterstate is given up.
  @inlinable public func hopelessValue(from board: Board) -> Double { -.infinity }

  /// Writes the values of afterstates, computed one after the other.
  @inlinable
  @inline(__always)
  @unsafe
  public func write(
    valuesOfPlanes planes: UnsafePointer<UInt64>, count: Int,
    to values: UnsafeMutablePointer<Double>
  ) {
    for place in 0..<count { unsafe values[place] = value(of: Board(planes: planes[place])) }
  }
}
