import Game2048

/// A value function of afterstates, learned or hand-tuned, that any player can search with.
///
/// A player chooses the move with the largest `rewardWeight · reward + value(afterstate)`, and an
/// expectimax backs up the same sum. What an evaluator declares lets every search treat it rightly.
public protocol Evaluator: Sendable {
  /// How much of the rewards on the way is added to the value: 1 for a network, whose value is the
  /// points still to come, and 0 for a hand-tuned evaluator.
  var rewardWeight: Double { get }

  /// The value of a state without a legal move: 0 for a network and for rowScore, and below any
  /// value that a board can reach for an evaluator whose healthy boards may be negative.
  var terminalValue: Double { get }

  /// The value of `afterstate`, without the reward of the move that reached it.
  func value(of afterstate: Board) -> Double

  /// The values of up to four afterstates at once; those from lane `count` on do not matter.
  ///
  /// Searches ask for most of their values this way. The default asks for one after the other.
  ///
  /// - Parameter planes: the planes of the afterstates, which have no tile above 32768.
  func values(ofPlanes planes: SIMD4<UInt64>, count: Int) -> SIMD4<Double>
}

extension Evaluator {
  @inlinable
  @inline(__always)
  public func values(ofPlanes planes: SIMD4<UInt64>, count: Int) -> SIMD4<Double> {
    var values = SIMD4<Double>.zero
    // Written out, because a lane that is not a literal costs as much as a small value.
    values[0] = value(of: Board(planes: planes[0]))
    if count > 1 { values[1] = value(of: Board(planes: planes[1])) }
    if count > 2 { values[2] = value(of: Board(planes: planes[2])) }
    if count > 3 { values[3] = value(of: Board(planes: planes[3])) }
    return values
  }
}
