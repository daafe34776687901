import Basics
import Game2048
import Players
import Search
import Synchronization

extension Variant {
  /// The speed of a player on recorded positions, one variant for each number of threads.
  ///
  /// The positions are divided among the threads. Every thread has its own player, which is new for every
  /// measurement. If the player has a time budget, each of its moves is timed as well.
  ///
  /// - Parameter states: The positions of one measurement, in each of which a move is legal.
  /// - Precondition: There is a network if the player needs one.
  package static func searches(
    _ player: PlayerSpecification, network: TrainedNetwork?, states: [Board], threads: [Int]
  ) throws -> [Variant] {
    let rules = network?.rules ?? .standard
    let makePlayer = try player.makeFactory(rules: rules) { _ in network!.original }
    let timesMoves = player.milliseconds != nil
    return threads.map { threads in
      Variant(
        parameters: ["player": .string(player.description), "threads": .integer(threads)],
        threadsAtWork: min(threads, states.count) * player.threads,
        moveBudget: player.milliseconds
      ) {
        Measurement.timing {
          let moveMilliseconds = Mutex<[Double]>([])
          WorkerThreads.run(count: threads) { thread, threads in
            let own = stride(from: thread, to: states.count, by: threads).lazy.map { states[$0] }
            let times = play(makePlayer(UInt64(thread)), own, timesMoves: timesMoves)
            moveMilliseconds.withLock { $0 += times }
          }
          return Measurement(
            moves: states.count, moveMilliseconds: moveMilliseconds.withLock(\.self))
        }
      }
    }
  }

  /// Chooses a move on each board, and returns the milliseconds of each if `timesMoves` is set.
  private static func play(
    _ player: some Player, _ states: some Sequence<Board>, timesMoves: Bool
  ) -> [Double] {
    var player = player
    var times: [Double] = []
    for state in states {
      // Reading the clock takes about as long as a greedy move.
      let start = timesMoves ? ProcessorTime.ofThread : 0
      _ = player.chooseMove(from: state)
      if timesMoves { times.append(Double(ProcessorTime.ofThread - start) * 1e-6) }
    }
    return times
  }
}
