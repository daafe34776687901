import Game2048
import NTupleNetwork

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
