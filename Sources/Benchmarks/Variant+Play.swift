import Arena
import Basics
import Search
import SelfPlay
import Synchronization

extension Variant {
  /// The speed of greedy play, measured with the players and the arena of an evaluation.
  ///
  /// - Parameter seed: The seed of the spawns of every measurement.
  package static func play(
    _ network: TrainedNetwork, threads: Int, seed: UInt64, amount: BenchmarkPlan.Amount
  ) -> Variant {
    let (original, rules) = (network.original, network.rules)
    let contestant = Contestant(name: "learned") { _ in
      GreedyNetworkPlayer(network: original, rules: rules)
    }
    func play(_ amount: BenchmarkPlan.Amount, seed: UInt64) -> Measurement {
      let (games, deadline) = amount.limits(after: 0)
      let asked = Atomic(0)
      let result = Arena.run(
        // No measurement limited by time reaches a million games.
        contestants: [contestant], games: min(games, 1_000_000), seed: seed, threads: threads,
        rules: rules,
        shouldStop: {
          // At least one game is played, even if the time is up.
          let isFirst = asked.wrappingAdd(1, ordering: .relaxed).oldValue == 0
          return !isFirst && deadline.map { RunClock.now >= $0 } ?? false
        })
      let played = result.results[0]
      return Measurement(
        moves: played.reduce(0) { $0 + $1.moves },
        meanScore: Double(played.reduce(0) { $0 + $1.score }) / Double(max(1, played.count)))
    }
    return Variant(
      parameters: ["network": .string(network.name), "threads": .integer(threads)],
      threadsAtWork: min(threads, amount.limits(after: 0).episodes)
    ) {
      _ = play(amount.warmUp, seed: ~seed)
      return Measurement.timing { play(amount, seed: seed) }
    }
  }
}
