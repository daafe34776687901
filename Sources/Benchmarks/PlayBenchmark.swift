import Arena
import Game2048
import Search
import Training

/// The speed of greedy play, by the players and the arena of an evaluation.
public enum PlayBenchmark {
  /// The spawns of every measurement.
  static let seed: UInt64 = 2048
  /// More games than any measurement by time gets through.
  private static let manyGames = 1_000_000

  /// Measures all networks at all numbers of threads, in turn.
  public static func run(
    _ networks: [TrainedNetwork], threads: [Int], plan: BenchmarkPlan,
    progress: (_ done: Int, _ total: Int) -> Void
  ) throws -> BenchmarkReport {
    let variants = networks.flatMap { network in
      threads.map { threads in
        Variant(
          parameters: [.init("network", network.name), .init("threads", threads)],
          threads: threads
        ) {
          _ = play(network, threads, plan.amount.warmUp)
          return Measurement.of { play(network, threads, plan.amount) }
        }
      }
    }
    return BenchmarkReport(
      "evaluate", plan: plan, rows: try Alternation.run(variants, plan: plan, progress: progress))
  }

  /// Plays games, and returns the moves that were made.
  private static func play(
    _ network: TrainedNetwork, _ threads: Int, _ amount: BenchmarkPlan.Amount
  ) -> Int {
    let rules = Rules(size: network.original.shape.boardSize)
    let original = network.original
    let contestant = Contestant(name: "learned") { _ in
      GreedyNetworkPlayer(network: original, rules: rules)
    }
    let (games, deadline) = amount.limits(after: 0)
    let result = Arena.run(
      contestants: [contestant], games: min(games, manyGames), seed: seed, threads: threads,
      rules: rules, shouldStop: { deadline.map { ContinuousClock.now >= $0 } ?? false })
    return result.results[0].reduce(0) { $0 + $1.moves }
  }
}
