import Game2048
import NTupleNetwork

/// Simulated games from an afterstate.
///
/// A playout repeats spawn and move until the game is over, its plies are used up, or it gives up
/// after too many illegal draws. With `R` the rewards on the way, it is worth
/// ```
/// rewardWeight · R + terminalValue      if the game is over
/// rewardWeight · R + value(afterstate)  at the last afterstate reached, otherwise
/// ```
/// A playout allocates nothing, except on boards with tiles of 65536 and more.
struct Playouts<E: Evaluator>: Sendable {
  let evaluator: E
  let rules: Rules
  let settings: MonteCarloSettings

  /// Plays one playout and returns its value, in the unit of the evaluator.
  ///
  /// - Precondition: `afterstate` has an empty cell.
  func value(from afterstate: Board, using source: inout Xoshiro256) -> Double {
    var afterstate = afterstate
    var rewards = 0
    let plies = settings.plies ?? .max
    var ply = 1
    while ply < plies {
      var state = afterstate
      rules.spawn(on: &state, using: &source)
      let moves = rules.moves(from: state)
      let legal = Int(moves.legalMoves(from: state))
      if legal == 0 { return evaluator.rewardWeight * Double(rewards) + evaluator.terminalValue }
      guard let move = choose(among: legal, of: moves, using: &source) else { break }
      afterstate = moves.afterstate(ofMove: move)
      rewards += Int(moves.rewards[move])
      ply += 1
    }
    return evaluator.rewardWeight * Double(rewards) + evaluator.value(of: afterstate)
  }

  /// Returns the number of the next move of a playout; nil if it gives up.
  ///
  /// - Precondition: `legal` is a mask of at least one move.
  private func choose(
    among legal: Int, of moves: MoveSet, using source: inout Xoshiro256
  ) -> Int? {
    switch settings.policy {
    case .random where settings.illegalTries > 0:
      for _ in 0..<settings.illegalTries {
        let move = Int(truncatingIfNeeded: source.next() >> 62)
        if legal >> move & 1 == 1 { return move }
      }
      return nil
    case .random:
      return Playouts.draw(from: legal, using: &source)
    case .merging:
      var merging = 0
      for move in 0..<4 where moves.rewards[move] > 0 { merging |= 1 << move }
      return Playouts.draw(from: merging == 0 ? legal : merging, using: &source)
    case .smooth:
      return Playouts.draw(from: smoothest(of: legal, moves), using: &source)
    }
  }

  /// Returns a mask of the moves of `legal` with the smoothest afterstates.
  private func smoothest(of legal: Int, _ moves: MoveSet) -> Int {
    var best = 0
    var bestValue = -Double.infinity
    for move in 0..<4 where legal >> move & 1 == 1 {
      let value = Smoothness().value(of: moves.afterstate(ofMove: move))
      if value > bestValue {
        best = 0
        bestValue = value
      }
      if value == bestValue { best |= 1 << move }
    }
    return best
  }

  /// Returns the place of a random one bit of `mask`, uniform up to 1 part in 2^30.
  private static func draw(from mask: Int, using source: inout Xoshiro256) -> Int {
    var rest = mask
    let choice = ((source.next() >> 32) &* UInt64(mask.nonzeroBitCount)) >> 32
    for _ in 0..<choice { rest &= rest &- 1 }
    return rest.trailingZeroBitCount
  }
}
