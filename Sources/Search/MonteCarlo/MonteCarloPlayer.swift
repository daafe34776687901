import Dispatch
import Evaluators
import Game2048
import RandomSources
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
/// The player has no type parameter. Its playouts are a closure that is made where the evaluator is
/// known, because code that is reached through a generic type's conformance to ``Player`` is not
/// compiled for its evaluator.
public struct MonteCarloPlayer: Player, Sendable {
  public let name: String
  public let settings: MonteCarloSettings
  private let rules: Rules
  private let rewardWeight: Double
  /// Returns the value of a playout from an afterstate with a random source of this seed.
  private let worth: @Sendable (_ afterstate: Board, _ seed: UInt64) -> Double
  private let seed: UInt64
  private var movesChosen = 0

  /// - Parameters:
  ///   - name: The name of the player.
  ///   - evaluator: The evaluator of the afterstates at which simulated games end early.
  ///   - settings: The settings of the simulation.
  ///   - rules: The rules of the game.
  ///   - seed: The seed of the simulated games.
  public init(
    name: String, evaluator: some Evaluator, settings: MonteCarloSettings, rules: Rules = .standard,
    seed: UInt64
  ) {
    self.name = name
    self.settings = settings
    self.rules = rules
    self.seed = seed
    rewardWeight = evaluator.rewardWeight
    let playouts = Playouts(evaluator, rules: rules, settings: settings)
    worth = { afterstate, seed in
      var source = Xoshiro256(seed: seed)
      return playouts.value(from: afterstate, using: &source)
    }
  }

  public mutating func chooseMove(from board: Board) -> Direction? {
    choose(among: moveValues(of: board))
  }

  /// Returns the moves with the values that the next ``chooseMove(from:)`` would compare.
  public func evaluateMoves(_ board: Board) -> [MoveEvaluation] {
    evaluations(of: board, moveValues(of: board))
  }

  /// Returns the best move and the values, both from the same simulated games.
  public mutating func decide(on board: Board) -> Decision {
    let values = moveValues(of: board)
    return Decision(moves: evaluations(of: board, values), best: choose(among: values))
  }

  private mutating func choose(among moves: MoveValues) -> Direction? {
    movesChosen += 1
    var best: Int?
    for lane in 0..<4 where moves.legal >> lane & 1 == 1 {
      if best.map({ moves.values[lane] > moves.values[$0] }) ?? true { best = lane }
    }
    return best.flatMap { Direction(rawValue: $0) }
  }

  private func evaluations(of board: Board, _ moves: MoveValues) -> [MoveEvaluation] {
    // The closure is called for legal moves only, in their order.
    var lanes = (0..<4).filter { moves.legal >> $0 & 1 == 1 }[...]
    return MoveEvaluation.all(from: board, rules: rules) { _, _ in
      moves.values[lanes.removeFirst()]
    }
  }

  /// The values of the four moves, and a mask of those that are legal.
  private typealias MoveValues = (values: SIMD4<Double>, legal: Int)

  private func moveValues(of board: Board) -> MoveValues {
    let moves = rules.moves(from: board)
    let legal = Int(moves.legalLanes(from: board))
    let emptyCells = (rules.cells & ~board.occupied).nonzeroBitCount
    let simulations = settings.simulations(emptyCells: emptyCells)
    let worths = settings.threads == 1 ? nil : simulateInParallel(moves, legal, simulations)
    var values = SIMD4<Double>.zero
    for lane in 0..<4 where legal >> lane & 1 == 1 {
      // The sum is taken in the order of the playouts, so that it does not depend on the threads.
      var sum = 0.0
      for playout in 0..<simulations {
        sum += worths?[lane][playout] ?? simulate(moves.afterstate(lane: lane), playout)
      }
      values[lane] =
        rewardWeight * Double(moves.rewards[lane]) + sum / Double(simulations)
    }
    return (values, legal)
  }

  /// Returns the value of playout number `playout` from an afterstate.
  private func simulate(_ afterstate: Board, _ playout: Int) -> Double {
    let stream = SplitMix64.streamSeed(SplitMix64.streamSeed(seed, movesChosen), playout)
    return worth(afterstate, stream)
  }

  /// Returns the values of all playouts, `[lane][playout]`, simulated on several threads.
  private func simulateInParallel(
    _ moves: MoveSet, _ legal: Int, _ simulations: Int
  ) -> [[Double]] {
    let worths = Mutex(Array(repeating: [Double](repeating: 0, count: simulations), count: 4))
    let threads = min(settings.threads, simulations)
    DispatchQueue.concurrentPerform(iterations: threads) { thread in
      let share = (simulations * thread / threads)..<(simulations * (thread + 1) / threads)
      for lane in 0..<4 where legal >> lane & 1 == 1 {
        let part = share.map { simulate(moves.afterstate(lane: lane), $0) }
        worths.withLock { $0[lane].replaceSubrange(share, with: part) }
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
