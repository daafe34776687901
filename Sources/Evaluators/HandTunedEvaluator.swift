/// An evaluator that is written by hand, from features of the board as it stands.
///
/// Cells that a board smaller than 4 × 4 does not use count as empty.
public protocol HandTunedEvaluator: Evaluator {
  /// The value in one line, for the reference: `v` is a tile and `e` its exponent.
  static var formula: String { get }

  init()
}

extension HandTunedEvaluator {
  /// 0: rewards on the way do not count.
  @inlinable public var rewardWeight: Double { 0 }

  /// Below the value of any board of tiles up to 131072.
  ///
  /// The lowest value is that of ``Smoothness``: 24 adjacent pairs that differ by at most 131,070
  /// each, which is above −3.2 million.
  @inlinable public var terminalValue: Double { -1e7 }
}
