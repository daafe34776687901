import Arena
import Game2048
import NTupleNetwork
import Search
import Training

/// The speed of players on recorded positions: the same for all, so that only the search differs.
public enum SearchBenchmark {
  /// Positions from games that a network has played greedily.
  public static func states(of network: TrainedNetwork, count: Int) -> [Board] {
    RecordedGames.states(network.original, count: count)
  }

  /// Measures all players at all numbers of threads, in turn.
  ///
  /// The positions are dealt out to the threads, and every thread has a player of its own, new for every
  /// measurement.
  ///
  /// - Parameters:
  ///   - network: what learned players value boards by.
  ///   - states: the positions of one measurement, boards on which a move is legal.
  /// - Precondition: there is a network if a player needs one.
  public static func run(
    _ players: [PlayerSpecification], network: TrainedNetwork?, states: [Board], threads: [Int],
    plan: BenchmarkPlan, progress: (_ done: Int, _ total: Int) -> Void
  ) throws -> BenchmarkReport {
    let rules = Rules(size: network?.boardSize ?? 4)
    let variants = try players.flatMap { specification in
      let makePlayer = try specification.makeFactory(rules: rules) { _ in network!.original }
      return threads.map { threads in
        Variant(
          parameters: [.init("player", specification.description), .init("threads", threads)],
          threads: threads
        ) {
          Measurement.of {
            WorkerThreads.run(count: threads) { thread in
              var player: any Player = makePlayer(UInt64(thread))
              for place in stride(from: thread, to: states.count, by: threads) {
                _ = player.chooseMove(from: states[place])
              }
            }
            return Measurement.Result(moves: states.count)
          }
        }
      }
    }
    return BenchmarkReport(
      "search", plan: plan, rows: try Alternation.run(variants, plan: plan, progress: progress))
  }
}
