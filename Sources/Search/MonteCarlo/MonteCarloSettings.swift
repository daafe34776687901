/// The number, length and moves of the games that a Monte Carlo player simulates.
public struct MonteCarloSettings: Hashable, Sendable {
  /// The choice of moves in a simulated game.
  public enum Policy: String, CaseIterable, Sendable {
    /// Uniformly among the legal moves.
    case random
    /// Uniformly among the moves that earn a reward; if there are none, like `random`.
    case merging
    /// Uniformly among the moves whose afterstates are smoothest, as measured by `Smoothness`.
    case smooth
  }

  /// The number S of simulated games per legal move.
  public var simulations = 100
  /// The plies of a simulated game, the first of which is the move itself; nil if it runs to the end
  /// of the game.
  ///
  /// An evaluator values the afterstate at which it ends early.
  public var plies: Int?
  public var policy = Policy.random
  /// The number of consecutive illegal draws that end a simulated game, with the `random` policy.
  ///
  /// If it is above 0, moves are drawn among all four; if it is 0, among the legal ones.
  public var illegalTries = 0
  /// Whether emptier boards, which are safer, get fewer simulated games: `max(1, S − 2·empty)`.
  public var isAdaptive = false
  /// The number of threads that simulate in parallel. It changes no value.
  public var threads = 1

  public init() {}

  /// Returns the number of simulated games per legal move of a board with `emptyCells` empty cells.
  public func simulations(emptyCells: Int) -> Int {
    isAdaptive ? max(1, simulations - 2 * emptyCells) : simulations
  }
}
