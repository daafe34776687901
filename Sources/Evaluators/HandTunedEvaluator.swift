/// An evaluator that is written by hand, from features of the board.
///
/// The unused cells of a board smaller than 4 × 4 count as empty.
public protocol HandTunedEvaluator: Evaluator {
  /// The formula in one line, for the reference: `v` is a tile and `e` its exponent.
  static var formula: String { get }

  /// Creates the evaluator.
  init()
}

extension HandTunedEvaluator {
  /// 0: rewards do not count.
  @inlinable public var rewardWeight: Double { 0 }

  /// A value below that of any board of tiles up to 131072.
  ///
  /// ``Smoothness`` has the lowest values: 24 adjacent pairs that differ by up to 131,070 each give
  /// a value above −3.2 million.
  @inlinable public var terminalValue: Double { -1e7 }
}
