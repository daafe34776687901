import Evaluators

/// How a Monte Carlo player values a move: how many games it simulates, how far, and how they are
/// played.
public struct MonteCarloSettings: Hashable, Sendable {
  /// How the moves of a simulated game are chosen.
  public enum Policy: String, CaseIterable, Sendable {
    /// Uniformly among the legal moves.
    case random
    /// Uniformly among the moves that earn a reward, if there are any; else as `random`.
    case merging
    /// Uniformly among the moves whose afterstates are smoothest, as ``Smoothness`` measures it.
    case smooth
  }

  /// Where a simulated game ends, and what it is worth there.
  public enum Horizon: Hashable, Sendable {
    /// At the end of the game; it is worth its points.
    case end
    /// After as many plies; an evaluator values the afterstate reached. One ply is the move itself.
    case plies(Int, Leaf)
  }

  /// Who values the afterstate at which a simulated game ends early.
  public enum Leaf: Hashable, Sendable {
    case evaluator(EvaluatorName)
    /// A network, by its MODEL text.
    case model(String)
  }

  /// The simulated games of each legal move, S.
  public var simulations = 100
  public var horizon = Horizon.end
  public var policy = Policy.random
  /// If above 0, moves are drawn among all four, and a simulated game ends after so many consecutive
  /// draws that are not legal; if 0, they are drawn among the legal ones. For the `random` policy.
  public var illegalTries = 0
  /// Whether fewer games are simulated on emptier boards, which are safer: `max(1, S − 2·empty)`.
  public var isAdaptive = false
  /// The threads that simulate side by side. They change no value.
  public var threads = 1

  public init() {}

  /// The simulated games of each legal move of a board with as many empty cells.
  public func simulations(emptyCells: Int) -> Int {
    isAdaptive ? max(1, simulations - 2 * emptyCells) : simulations
  }

  /// The plies of a simulated game, its first move included.
  var plies: Int {
    switch horizon {
    case .end: .max
    case .plies(let plies, _): plies
    }
  }

  /// What `simulations`, a horizon in plies, `illegalTries` and `threads` may be.
  package static let simulationRange = 1...1_000_000
  package static let plyRange = 1...10_000
  package static let illegalTryRange = 0...100
  package static let threadRange = 1...256

  /// The plies where an evaluator is named and no depth, and the evaluator where only a depth is.
  package static let defaultPlies = 10
  package static let defaultEvaluator = EvaluatorName.rowScore
}
