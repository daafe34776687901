import Evaluators
import Game2048

/// Expectimax over any evaluator.
///
/// With `n` move layers still below it, an afterstate `a` is worth
/// ```
/// V_0(a) = value(a)
/// V_n(a) = Σ_spawns p · max_moves (rewardWeight · reward + V_{n−1}(afterstate))
/// ```
/// where a state without a legal move is worth the evaluator's terminal value. A search of `d` plies
/// compares `rewardWeight · reward + V_{d−1}(afterstate)` of the moves at the root.
///
/// ``SearchSettings`` says what is cut, and what helps. Where nothing is cut, neither a table nor
/// threads change a value.
///
/// Thread safety: a search may be handed to another thread, but it and its copies share their table and
/// memory, so that only one of them may search at a time.
///
/// Source: Ballard, "The *-minimax search procedure for trees containing chance nodes", 1983,
/// without pruning; the cut by probability follows nneonneo, `2048-ai`.
public struct Expectimax<E: Evaluator>: Sendable {
  public let evaluator: E
  public let rules: Rules
  public let settings: SearchSettings

  @usableFromInline let rewardWeight: Double
  @usableFromInline let terminalValue: Double
  @usableFromInline let hasLimits: Bool
  @usableFromInline let memory: SearchMemory

  /// A search.
  ///
  /// - Precondition: a depth in plies is in 1...``SearchSettings/mostPlies``; there is at least one thread, and
  ///   only one with a limit of nodes; milliseconds are finite and not negative.
  public init(_ evaluator: E, rules: Rules = .standard, settings: SearchSettings) {
    if case .plies(let plies) = settings.depth {
      precondition(
        (1...SearchSettings.mostPlies).contains(plies),
        "a search has 1 to \(SearchSettings.mostPlies) plies")
    }
    precondition(settings.threads >= 1, "a search has at least one thread")
    precondition(
      settings.threads == 1 || settings.nodes == nil, "threads do not count their nodes together")
    precondition(
      settings.milliseconds.map { $0 >= 0 && $0.isFinite } ?? true, "a budget is a time")
    self.evaluator = evaluator
    self.rules = rules
    self.settings = settings
    rewardWeight = evaluator.rewardWeight
    terminalValue = evaluator.terminalValue
    hasLimits = settings.limits != .none
    memory = SearchMemory(tableBytes: settings.tableSize, threads: settings.threads)
  }

  /// The move with the largest value, the first of equal ones; nil if none is legal.
  @inlinable
  public func bestMove(from board: Board) -> Direction? {
    search(board).best
  }

  /// The four moves with the values that ``bestMove(from:)`` compares.
  @inlinable
  public func evaluateMoves(_ board: Board) -> [MoveEvaluation] {
    .all(from: board, rules: rules, values: search(board).values)
  }
}

/// What a search found.
@frozen
public struct SearchResult: Sendable {
  /// The values of the moves up, down, left, right; −∞ for one that is not legal.
  public var values = SIMD4<Double>(repeating: -.infinity)
  /// The best move; nil if none is legal.
  public var best: Direction?
  /// The afterstates valued or expanded.
  public var nodes = 0
  /// The passes that were finished: 1 without a budget.
  public var passes = 0

  @inlinable
  init() {}
}

extension [MoveEvaluation] {
  /// The four moves from `board` with these values, lane by direction.
  @usableFromInline
  static func all(from board: Board, rules: Rules, values: SIMD4<Double>) -> [MoveEvaluation] {
    MoveEvaluation.all(from: board, rules: rules).map { move in
      MoveEvaluation(
        direction: move.direction, legal: move.legal, reward: move.reward,
        afterstate: move.afterstate,
        value: move.legal ? values[move.direction.rawValue] : nil)
    }
  }
}
