import Game2048
import NTupleNetwork

/// Expectimax over any evaluator.
///
/// With `n` move layers still below it, an afterstate `a` is worth
/// ```
/// V_0(a) = value(a)
/// V_n(a) = Σ_spawns p · max_moves (rewardWeight · reward + V_{n−1}(afterstate))
/// ```
/// where a state without a legal move is worth the evaluator's terminal value. An afterstate below
/// the evaluator's hopeless value is worth `value(a)` at any depth. A search of `d` plies compares
/// `rewardWeight · reward + V_{d−1}(afterstate)` of the moves at the root.
///
/// ``SearchSettings`` has the cuts, the budget and the resources. Without a cut by
/// probability and without a budget, neither the table nor the number of threads changes a value.
///
/// Thread safety: a search and its copies share one transposition table and scratch memory, so only
/// one of them may search at a time. It is therefore not `Sendable`: make one search per thread. To
/// search one board on several threads, set ``SearchSettings/threads``.
///
/// Source: Ballard, "The *-minimax search procedure for trees containing chance nodes", 1983,
/// without pruning; the cut by probability follows nneonneo, `2048-ai`.
public struct Expectimax<E: Evaluator> {
  public let evaluator: E
  public let rules: Rules
  public let settings: SearchSettings

  @usableFromInline let rewardWeight: Double
  @usableFromInline let terminalValue: Double
  @usableFromInline let hasLimits: Bool
  @usableFromInline let memory: SearchMemory

  /// Creates a search with an empty transposition table.
  ///
  /// - Parameters:
  ///   - evaluator: The evaluator of the leaves.
  ///   - rules: The rules of the game.
  ///   - settings: Depth, budget and resources.
  ///   - bank: The bank of ``SearchSettings/averageMilliseconds``, if other players of the same games save time in it; by
  ///     default, a separate one.
  /// - Precondition: A depth in plies is in 1...``SearchSettings/mostPlies``. There is at least one
  ///   thread, and only one with a budget of nodes. Milliseconds are finite and not negative, and the
  ///   horizon is at least 1.
  public init(
    _ evaluator: E, rules: Rules = .standard, settings: SearchSettings, bank: TimeBank? = nil
  ) {
    if case .plies(let plies) = settings.depth {
      precondition(
        (1...SearchSettings.mostPlies).contains(plies),
        "a search has 1 to \(SearchSettings.mostPlies) plies")
    }
    precondition(settings.threads >= 1, "a search has at least one thread")
    precondition(
      settings.threads == 1 || settings.nodes == nil, "a budget of nodes requires one thread")
    precondition(
      [settings.milliseconds, settings.averageMilliseconds].allSatisfy {
        $0.map { $0 >= 0 && $0.isFinite } ?? true
      }, "a time budget is finite and not negative")
    precondition(settings.horizon >= 1, "savings are spread over at least one search")
    self.evaluator = evaluator
    self.rules = rules
    self.settings = settings
    rewardWeight = evaluator.rewardWeight
    terminalValue = evaluator.terminalValue
    hasLimits = settings.limits != .none
    memory = SearchMemory(
      tableBytes: settings.tableSize, threads: settings.threads,
      bank: settings.averageMilliseconds.map { bank ?? TimeBank(milliseconds: $0) })
  }
}

@available(*, unavailable)
extension Expectimax: Sendable {}

/// The result of a search.
public struct SearchResult: Sendable {
  /// The values of the moves up, down, left, right; −∞ for a move that is not legal.
  public var values = SIMD4<Double>(repeating: -.infinity)
  /// The best move; nil if no move is legal.
  public var best: Direction?
  /// The number of afterstates valued or expanded.
  public var nodes = 0
  /// The number of finished passes; 1 without a budget. Only tests read it.
  @usableFromInline var passes = 0

  @inlinable
  init() {}
}

/// A player of the best move of an expectimax.
///
/// The player has no type parameter. The search is a closure that is made where the evaluator is
/// known, because code that is reached through a generic type's conformance to ``Player`` is not
/// compiled for its evaluator.
///
/// Thread safety: copies share the memory of one search, so only one thread may use a player and
/// its copies. Make one player, with its own search, per thread.
public struct ExpectimaxPlayer: Player {
  public let name: String
  public let settings: SearchSettings
  @usableFromInline let searchBoard: (Board) -> SearchResult
  @usableFromInline let rules: Rules

  @inlinable
  public init(name: String, search: Expectimax<some Evaluator>) {
    self.name = name
    settings = search.settings
    rules = search.rules
    searchBoard = { search.search($0) }
  }

  public func chooseMove(from board: Board) -> Direction? { searchBoard(board).best }

  /// Returns the best move, and the moves with `rewardWeight · reward` plus the searched values of their afterstates.
  public func decide(on board: Board) -> Decision {
    let result = searchBoard(board)
    return Decision(
      moves: MoveEvaluation.all(from: board, rules: rules) { move, _, _ in
        result.values[move.rawValue]
      },
      best: result.best)
  }
}
