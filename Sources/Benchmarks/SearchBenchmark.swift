import Arena
import Basics
import Game2048
import NTupleNetwork
import Players
import Search
import Synchronization

/// The speed of players on recorded positions, which are the same for all players.
package enum SearchBenchmark {
  /// Returns positions from greedy games of a network.
  package static func states(of network: TrainedNetwork, count: Int) -> [Board] {
    RecordedGames.states(network, count: count)
  }

  /// Measures all players with all numbers of threads, in turn.
  ///
  /// The positions are divided among the threads. Every thread has its own player, which is new for every
  /// measurement. If a player has a time budget, each of its moves is timed as well.
  ///
  /// - Parameters:
  ///   - players: The players.
  ///   - network: The network of learned players.
  ///   - states: The positions of one measurement, in each of which a move is legal.
  ///   - threads: The numbers of threads.
  ///   - plan: The number of measurements.
  ///   - progress: Called after every measurement with the number done and the total.
  /// - Precondition: There is a network if a player needs one.
  package static func run(
    _ players: [PlayerSpecification], network: TrainedNetwork?, states: [Board], threads: [Int],
    plan: BenchmarkPlan, progress: (_ done: Int, _ total: Int) -> Void
  ) throws -> BenchmarkReport {
    let rules = network?.rules ?? .standard
    let variants = try players.flatMap { specification in
      let makePlayer = try specification.makeFactory(rules: rules) { _ in network!.original }
      return threads.map { threads in
        Variant(
          parameters: [.init("player", specification.description), .init("threads", threads)],
          threadsAtWork: min(threads, states.count) * specification.threads,
          moveBudget: specification.milliseconds
        ) {
          Measurement.of {
            let moveMilliseconds = Mutex<[Double]>([])
            WorkerThreads.run(count: threads) { thread, threads in
              let player = makePlayer(UInt64(thread))
              let own = stride(from: thread, to: states.count, by: threads).lazy.map { states[$0] }
              let times = play(player, own, timesMoves: specification.milliseconds != nil)
              moveMilliseconds.withLock { $0 += times }
            }
            return Measurement.Played(
              moves: states.count, moveMilliseconds: moveMilliseconds.withLock(\.self))
          }
        }
      }
    }
    return BenchmarkReport(
      "search", plan: plan, rows: try Alternation.run(variants, plan: plan, progress: progress))
  }

  /// Chooses a move on each board, and returns the milliseconds of each if `timesMoves` is set.
  private static func play(
    _ player: some Player, _ states: some Sequence<Board>, timesMoves: Bool
  ) -> [Double] {
    var player = player
    var times: [Double] = []
    for state in states {
      // Reading the clock takes about as long as a greedy move.
      let start = timesMoves ? ThreadClock.now : 0
      _ = player.chooseMove(from: state)
      if timesMoves { times.append(Double(ThreadClock.now - start) * 1e-6) }
    }
    return times
  }
}
