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
}
