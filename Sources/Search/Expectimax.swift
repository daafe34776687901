import Evaluators
import Game2048

/// Depth-limited expectimax over any evaluator.
///
/// With `n` move layers still below it, an afterstate `a` is worth
/// ```
/// V_0(a) = value(a)
/// V_n(a) = Σ_spawns p · max_moves (rewardWeight · reward + V_{n−1}(afterstate))
/// ```
/// where a state without a legal move is worth the evaluator's terminal value. A search of `d` plies
/// compares `rewardWeight · reward + V_{d−1}(afterstate)` of the moves at the root.
///
/// With a probability threshold, an afterstate that the spawns reach with a smaller probability,
/// counted from the afterstate of the root's move on, is worth its static value. With a
/// transposition table too, its value may stem from a path of another probability.
///
/// Not safe to share between threads if it has a transposition table: make one for each.
///
/// Source: Ballard, "The *-minimax search procedure for trees containing chance nodes", 1983,
/// without pruning; the threshold and table follow nneonneo, `2048-ai`.
public struct Expectimax<E: Evaluator> {
  public let evaluator: E
  public let rules: Rules
  public let depth: SearchDepth
  /// The probability under which a chance node is not searched; 0 searches all.
  public let probabilityThreshold: Double

  @usableFromInline let rewardWeight: Double
  @usableFromInline let terminalValue: Double
  @usableFromInline let table: TranspositionTable?

  /// A search.
  ///
  /// - Parameter tableBits: the binary logarithm of the entries of a transposition table; nil for
  ///   none. A table changes no value where the threshold is 0.
  /// - Precondition: a depth in plies is at least 1.
  @inlinable
  public init(
    _ evaluator: E, rules: Rules = .standard, depth: SearchDepth, probabilityThreshold: Double = 0,
    tableBits: Int? = nil
  ) {
    if case .plies(let plies) = depth { precondition(plies >= 1, "a search has at least one ply") }
    self.evaluator = evaluator
    self.rules = rules
    self.depth = depth
    self.probabilityThreshold = probabilityThreshold
    rewardWeight = evaluator.rewardWeight
    terminalValue = evaluator.terminalValue
    table = tableBits.map { TranspositionTable(bits: $0) }
  }

  /// The move with the largest value, the first of equal ones; nil if none is legal.
  @inlinable
  public func bestMove(from board: Board) -> Direction? {
    table?.startMove()
    let layers = depth.plies(from: board) - 1
    let moves = rules.moves(from: board)
    var best: Direction?
    var bestValue = -Double.infinity
    for direction in Direction.allCases {
      let afterstate = moves.afterstate(direction)
      if afterstate == board { continue }
      let value =
        rewardWeight * Double(moves.reward(direction))
        + value(of: afterstate, layers: layers, probability: 1)
      if value > bestValue || best == nil {
        best = direction
        bestValue = value
      }
    }
    return best
  }

  /// The four moves with the values that ``bestMove(from:)`` compares.
  @inlinable
  public func evaluateMoves(_ board: Board) -> [MoveEvaluation] {
    table?.startMove()
    let layers = depth.plies(from: board) - 1
    return MoveEvaluation.all(from: board, rules: rules) { afterstate, reward in
      rewardWeight * Double(reward) + value(of: afterstate, layers: layers, probability: 1)
    }
  }

  /// The value of an afterstate, a chance node, with `layers` move layers below it.
  @inlinable
  func value(of afterstate: Board, layers: Int, probability: Double) -> Double {
    if layers == 0 || probability < probabilityThreshold { return evaluator.value(of: afterstate) }
    if let known = table?.value(of: afterstate, plies: layers) { return known }
    var sum = 0.0
    rules.forEachSpawn(on: afterstate) { state, share in
      sum += share * value(ofState: state, layers: layers, probability: probability * share)
    }
    table?.store(sum, of: afterstate, plies: layers)
    return sum
  }

  /// The value of a state, a move node, with `layers` move layers from it on.
  @inlinable
  func value(ofState state: Board, layers: Int, probability: Double) -> Double {
    let moves = rules.moves(from: state)
    var best = -Double.infinity
    for direction in Direction.allCases {
      let afterstate = moves.afterstate(direction)
      if afterstate == state { continue }
      let value =
        rewardWeight * Double(moves.reward(direction))
        + value(of: afterstate, layers: layers - 1, probability: probability)
      best = max(best, value)
    }
    return best == -.infinity ? terminalValue : best
  }
}
