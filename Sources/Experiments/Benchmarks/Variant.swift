import Basics
import Game2048
import Learning
import NTupleNetwork
import Play
import Search
import Synchronization
import Training

/// One of several alternatives to measure.
package struct Variant {
  /// The properties that distinguish the variant, in the order of the columns of a table.
  let parameters: KeyValuePairs<String, JSONValue>
  /// The number of threads that have work, by which CPU time is divided.
  let threadsAtWork: Int
  /// The time budget per move in milliseconds; nil without a budget.
  var moveBudget: Double?
  /// Prepares, warms up and measures.
  let measure: () throws -> Measurement
}

extension Variant {
  /// The speed of greedy play, measured with the players and the arena of an evaluation.
  ///
  /// - Parameter seed: The seed of the spawns of every measurement.
  package static func play(
    _ network: TrainedNetwork, threads: Int, seed: UInt64, amount: BenchmarkPlan.Amount
  ) -> Variant {
    let rules = network.rules
    // A network in memory at 1 ply needs neither files nor tables.
    let contestant = try! network.players.contestant(
      .learned(model: nil, search: SearchSettings(depth: .plies(1))), inParallel: threads)
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
    let makePlayer = try (network?.players ?? PlayerFactory()).maker(
      of: player, inParallel: threads.max() ?? 1)
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

extension Variant {
  /// The speed of self-play with learning, measured with the workers of a training run.
  ///
  /// Every measurement starts from the same weights and the same seed.
  ///
  /// - Precondition: The configuration has the patterns of the network.
  /// - Throws: `LocatedError` if the accumulators that the training needs do not fit into memory.
  package static func training(
    _ network: TrainedNetwork, _ configuration: TrainingConfiguration,
    amount: BenchmarkPlan.Amount
  ) throws -> Variant {
    precondition(configuration.patterns == network.patterns, "the patterns differ")
    let keepsAccumulators = !Accumulators.names(for: configuration.methods).isEmpty
    if keepsAccumulators { try network.requireAccumulators() }
    let moves =
      configuration.mode == .synchronous ? configuration.roundMoves : configuration.batchSize
    return Variant(
      parameters: [
        "network": .string(network.name), "MiB": .integer(network.byteCount >> 20),
        "method": .string(configuration.methodText),
        "mode": .string(configuration.mode.rawValue),
        "batch": .integer(moves),
        "threads": .integer(configuration.threads),
      ],
      threadsAtWork: configuration.threadsAtWork(patterns: network.patterns.count)
    ) {
      let team = SelfPlayTeam(
        network: network.restored(),
        accumulators: keepsAccumulators ? network.restoredAccumulators() : nil,
        configuration: configuration)
      func play(_ amount: BenchmarkPlan.Amount) -> Measurement {
        team.ledger.beginReport()
        let (limit, deadline) = amount.limits(after: team.ledger.snapshot.episodes)
        let before = team.movesMade
        team.play(until: limit, deadline: deadline)
        return Measurement(
          moves: team.movesMade - before, meanScore: team.ledger.snapshot.sinceReport.meanScore)
      }
      _ = play(amount.warmUp)
      var measurement = Measurement.timing { play(amount) }
      measurement.movesPlayed = team.movesMade
      return measurement
    }
  }
}
