import CIntrinsics
import Dispatch
import Game2048
import NTupleNetwork
import Synchronization

/// A player of the move whose simulated games have the highest mean value.
///
/// Of equal means, the first wins. A move `a` with reward `r` is worth
/// ```
/// rewardWeight · r + (1/S) Σ_{i<S} playout_i(afterstate of a)
/// ```
/// where playout `i` of all four moves draws from the same random sequence, so that the moves share
/// their luck. A sequence is a function of the player's seed, the number of moves chosen before,
/// and `i`. The number of threads therefore changes no value.
///
/// Source: Brügmann, "Monte Carlo Go", 1993, without its annealing; for 2048 with rewards to the
/// end of the game, Rodgers and Levine, "An investigation into 2048 AI strategies", 2014.
///
/// The player has no type parameter, for the reason that ``ExpectimaxPlayer`` states.
public struct MonteCarloPlayer: Player, Sendable {
  public let name: String
  public let settings: MonteCarloSettings
  private let rules: Rules
  private let rewardWeight: Double
  /// Returns the value of a playout from an afterstate with a random source of this seed.
  private let worth: @Sendable (_ afterstate: Board, _ seed: UInt64) -> Double
  private let seed: UInt64
  private var movesChosen = 0

  /// Creates a player. The evaluator values the afterstates at which simulated games end early.
  public init(
    name: String, evaluator: some Evaluator, settings: MonteCarloSettings, rules: Rules = .standard,
    seed: UInt64
  ) {
    self.name = name
    self.settings = settings
    self.rules = rules
    self.seed = seed
    rewardWeight = evaluator.rewardWeight
    let playouts = Playouts(evaluator: evaluator, rules: rules, settings: settings)
    worth = { afterstate, seed in
      var source = Xoshiro256(seed: seed)
      return playouts.value(from: afterstate, using: &source)
    }
  }

  /// Returns the best move and the values, both from the same simulated games.
  public mutating func decide(on board: Board) -> Decision {
    let moves = moveValues(of: board)
    movesChosen += 1
    var best: Int?
    for move in 0..<4 where moves.legal >> move & 1 == 1 {
      if best.map({ moves.values[move] > moves.values[$0] }) ?? true { best = move }
    }
    return Decision(
      moves: MoveEvaluation.all(from: board, rules: rules) { move, _, _ in
        moves.values[move.rawValue]
      },
      best: best.flatMap { Direction(rawValue: $0) })
  }

  /// The values of the four moves, and a mask of those that are legal.
  private typealias MoveValues = (values: SIMD4<Double>, legal: Int)

  private func moveValues(of board: Board) -> MoveValues {
    let moves = rules.moves(from: board)
    let legal = Int(moves.legalMoves(from: board))
    let emptyCells = (rules.cells & ~board.occupied).nonzeroBitCount
    let simulations = settings.simulations(emptyCells: emptyCells)
    let worths = simulate(moves, legal, simulations)
    var values = SIMD4<Double>.zero
    for move in 0..<4 where legal >> move & 1 == 1 {
      // The sum is taken in the order of the playouts, so that it does not depend on the threads.
      let sum = worths[move].reduce(0, +)
      values[move] = rewardWeight * Double(moves.rewards[move]) + sum / Double(simulations)
    }
    return (values, legal)
  }

  /// Returns the values of all playouts, `[move][playout]`, simulated on all threads.
  private func simulate(_ moves: MoveSet, _ legal: Int, _ simulations: Int) -> [[Double]] {
    let seed = SplitMix64.streamSeed(seed, movesChosen)
    let worths = Mutex(Array(repeating: [Double](repeating: 0, count: simulations), count: 4))
    let threads = ci_is_forked() ? 1 : min(settings.threads, simulations)
    let cancellation = SearchCancellation.current
    DispatchQueue.concurrentPerform(iterations: threads) { thread in
      let share = (simulations * thread / threads)..<(simulations * (thread + 1) / threads)
      for move in 0..<4 where legal >> move & 1 == 1 {
        let afterstate = moves.afterstate(ofMove: move)
        let part = share.map { playout in
          cancellation?.isCancelled ?? false
            ? 0 : worth(afterstate, SplitMix64.streamSeed(seed, playout))
        }
        worths.withLock { $0[move].replaceSubrange(share, with: part) }
      }
    }
    return worths.withLock { $0 }
  }
}

/// An evaluator that counts rewards only, for simulated games that run to the end.
public struct PointsAlone: Evaluator {
  public init() {}

  public var rewardWeight: Double { 1 }
  public var terminalValue: Double { 0 }
  public func value(of afterstate: Board) -> Double { 0 }
}

/// The number, length and moves of the games that a Monte Carlo player simulates.
public struct MonteCarloSettings: Hashable, Codable, Sendable {
  /// The choice of moves in a simulated game.
  public enum Policy: String, CaseIterable, Codable, Sendable {
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
