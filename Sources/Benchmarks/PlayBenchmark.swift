import Arena
import Search
import SelfPlay
import Synchronization

/// The speed of greedy play, measured with the players and the arena of an evaluation.
package enum PlayBenchmark {
  /// A number of games that no measurement limited by time reaches.
  private static let manyGames = 1_000_000

  /// Measures all networks with all numbers of threads, in turn.
  ///
  /// - Parameters:
  ///   - networks: The networks that play.
  ///   - threads: The numbers of threads.
  ///   - seed: The seed of the spawns of every measurement.
  ///   - plan: The length and number of measurements.
  ///   - progress: Called after every measurement with the number done and the total.
  package static func run(
    _ networks: [TrainedNetwork], threads: [Int], seed: UInt64, plan: BenchmarkPlan,
    progress: (_ done: Int, _ total: Int) -> Void
  ) throws -> BenchmarkReport {
    let variants = networks.flatMap { network in
      threads.map { threads in
        Variant(
          parameters: [.init("network", network.name), .init("threads", threads)],
          threadsAtWork: min(threads, plan.amount.limits(after: 0).episodes)
        ) {
          _ = play(network, threads, plan.amount.warmUp, seed: ~seed)
          return Measurement.of { play(network, threads, plan.amount, seed: seed) }
        }
      }
    }
    return BenchmarkReport(
      "evaluate", plan: plan, rows: try Alternation.run(variants, plan: plan, progress: progress))
  }

  /// Plays games, and returns their moves and mean score.
  private static func play(
    _ network: TrainedNetwork, _ threads: Int, _ amount: BenchmarkPlan.Amount, seed: UInt64
  ) -> Measurement.Played {
    let (original, rules) = (network.original, network.rules)
    let contestant = Contestant(name: "learned") { _ in
      GreedyNetworkPlayer(network: original, rules: rules)
    }
    let (games, deadline) = amount.limits(after: 0)
    let asked = Atomic(0)
    let result = Arena.run(
      contestants: [contestant], games: min(games, manyGames), seed: seed, threads: threads,
      rules: rules,
      shouldStop: {
        // At least one game is played, even if the time is up.
        let isFirst = asked.wrappingAdd(1, ordering: .relaxed).oldValue == 0
        return !isFirst && deadline.map { RunClock.now >= $0 } ?? false
      })
    let played = result.results[0]
    return Measurement.Played(
      moves: played.reduce(0) { $0 + $1.moves },
      meanScore: Double(played.reduce(0) { $0 + $1.score }) / Double(max(1, played.count)))
  }
}
