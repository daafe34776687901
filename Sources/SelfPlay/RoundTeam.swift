import Basics
import Configuration
import NTupleNetwork
import RandomSources
import Synchronization
import TDLearning

/// A logical player of synchronous mode: a random source, a game in progress, and a learner.
///
/// Any thread can play a round of a lane.
///
/// Safety: (1) one thread at a time plays a round of a lane and appends to `finished`; (2) a barrier
/// of all threads lies between the round and every use of `delta`, and between these uses and the next
/// round; (3) `finished` is emptied, and `state` read, while no thread plays.
private final class Lane: @unchecked Sendable {
  /// The episodes that ended in the last round.
  var finished: [EpisodeResult] = []
  private let player: SelfPlayer<RoundLearner>

  init(
    _ configuration: TrainingConfiguration, network: NTupleNetwork, state: PlayerState?,
    seed: UInt64
  ) {
    var learner = RoundLearner(
      network: network, returns: configuration.returnEstimate, backend: configuration.kernelBackend,
      batchSize: configuration.movesPerLane)
    if let state { learner.waiting = state.waiting }
    player = SelfPlayer(
      configuration, network: network, learner: learner, state: state, seed: seed)
  }

  /// Plays `moves` moves on unchanged weights, and computes the blocks of errors.
  func playRound(moves: Int, start: StartRule, using scratch: DeltaScratch) {
    var remaining = moves
    while remaining > 0 {
      if let result = player.play(&remaining, start) { finished.append(result) }
    }
    player.withLearner { $0.finishRound(using: scratch) }
  }

  /// Returns the block of the last round for a pattern.
  func delta(_ pattern: Int) -> PatternDelta {
    var delta: PatternDelta?
    player.readLearner { delta = $0.deltas[pattern] }
    return delta!
  }

  /// The state of the lane between rounds.
  var state: PlayerState {
    var state = player.state()
    player.readLearner { state.waiting = $0.waiting }
    return state
  }
}

/// The lanes of synchronous mode, and the threads that play them.
///
/// A round has two parts. First, every lane plays its share of `learning.roundMoves` moves on the same
/// weights. Then the blocks of all lanes are applied, lane by lane. In the first part, each thread that is
/// free takes the next lane, and in the second the next pattern. The order does not matter in either
/// part, so the weights do not depend on the number of threads.
///
/// Episodes count at the end of the round in which they end, in the order of the lanes. Episodes after
/// the one at which a barrier is due count after the barrier. Barriers therefore come at the right
/// episodes, however many end in a round. The weights at a barrier are those after the round.
///
/// Safety: (1) one thread at a time uses a team; (2) of the threads that it starts, the last to arrive at
/// the barrier after a round writes `plan`, `isLastRound` and `uncounted` while the others wait there;
/// (3) the barrier orders these writes before all later reads.
final class RoundTeam: @unchecked Sendable {
  private let ledger: EpisodeLedger
  private let configuration: TrainingConfiguration
  private let lanes: [Lane]
  private let threads: [RoundThread]
  private let patterns: Int
  private var uncounted: [EpisodeResult]

  /// The plan of the round that is played, and whether it is the last before a barrier.
  private var plan: EpisodePlan?
  private var isLastRound = false
  /// The next lane to play in the round, and the next pattern to apply.
  private let nextLane = Atomic<Int>(0)
  private let nextPattern = Atomic<Int>(0)

  /// Creates the lanes of a configuration, from their saved state if there is one.
  init(
    network: NTupleNetwork, configuration: TrainingConfiguration, ledger: EpisodeLedger,
    state: SelfPlayState?
  ) {
    self.ledger = ledger
    self.configuration = configuration
    // The spawns of a lane depend only on the seed and the number of the lane.
    let seed = SplitMix64.streamSeed(UInt64(configuration.seed), 0)
    lanes = (0..<configuration.lanes).map { index in
      Lane(
        configuration, network: network, state: state?.players[index],
        seed: SplitMix64.streamSeed(seed, index))
    }
    patterns = network.numberOfPatterns
    threads = (0..<configuration.threadsAtWork(patterns: patterns)).map { _ in
      RoundThread(network: network, configuration: configuration)
    }
    uncounted = state?.uncounted ?? []
  }

  /// The state of the lanes between rounds.
  var state: SelfPlayState {
    SelfPlayState(players: lanes.map(\.state), uncounted: uncounted)
  }

  /// Plays rounds until `limit` episodes or `moveLimit` moves of the run are done, or `deadline` has
  /// passed. One round is played even if the deadline has already passed.
  func play(
    until limit: Int, deadline: SuspendingClock.Instant?, moveLimit: Int,
    plan: @Sendable (_ episode: Int) -> EpisodePlan
  ) {
    if count(until: limit, moveLimit) || ledger.isStopRequested { return }
    begin(plan(ledger.snapshot.episodes))
    let barrier = ThreadBarrier()
    WorkerThreads.run(count: threads.count) { [self] index, members in
      repeat {
        playRound(on: threads[index], barrier, members)
        barrier.wait(for: members) {
          for lane in lanes {
            uncounted += lane.finished
            lane.finished.removeAll(keepingCapacity: true)
          }
          isLastRound =
            count(until: limit, moveLimit) || ledger.isStopRequested
            || deadline.map { RunClock.now >= $0 } ?? false
          begin(plan(ledger.snapshot.episodes))
        }
      } while !isLastRound
    }
  }

  private func begin(_ plan: EpisodePlan) {
    self.plan = plan
    nextLane.store(0, ordering: .relaxed)
    nextPattern.store(0, ordering: .relaxed)
  }

  /// Takes part in a round until no lane and no pattern is left.
  private func playRound(on thread: RoundThread, _ barrier: ThreadBarrier, _ members: Int) {
    let plan = plan!
    while let lane = RoundTeam.take(nextLane, of: lanes.count) {
      lanes[lane].playRound(
        moves: configuration.movesPerLane, start: plan.start, using: thread.laneScratch)
    }
    barrier.wait(for: members) {}
    while let pattern = RoundTeam.take(nextPattern, of: patterns) {
      thread.apply(pattern: pattern, of: lanes, rule: plan.rule)
    }
  }

  /// Returns the next number below `count`, or nil if none is left.
  private static func take(_ counter: borrowing Atomic<Int>, of count: Int) -> Int? {
    let number = counter.wrappingAdd(1, ordering: .relaxed).oldValue
    return number < count ? number : nil
  }

  /// Counts finished episodes until the run has `limit` episodes or `moveLimit` moves.
  ///
  /// - Returns: Whether one of the limits has been reached.
  private func count(until limit: Int, _ moveLimit: Int) -> Bool {
    func isDone() -> Bool {
      let snapshot = ledger.snapshot
      return snapshot.episodes >= limit || snapshot.moves >= moveLimit
    }
    var counted = 0
    while counted < uncounted.count, !isDone() {
      ledger.record(uncounted[counted])
      counted += 1
    }
    uncounted.removeFirst(counted)
    return isDone()
  }
}

/// The memory of one thread of a ``RoundTeam``.
///
/// Safety: one thread at a time uses it, and starting and joining threads orders the uses.
private final class RoundThread: @unchecked Sendable {
  let laneScratch: DeltaScratch
  private var combiner: DeltaCombiner

  init(network: NTupleNetwork, configuration: TrainingConfiguration) {
    func scratch(lanes: Int) -> DeltaScratch {
      DeltaScratch(
        lanes: lanes, batchSize: configuration.movesPerLane, returns: configuration.returnEstimate)
    }
    laneScratch = scratch(lanes: 1)
    combiner = DeltaCombiner(
      network: network, backend: configuration.kernelBackend,
      scratch: scratch(lanes: configuration.lanes)
    )
  }

  func apply(pattern: Int, of lanes: [Lane], rule: any UpdateRule) {
    combiner.apply(pattern: pattern, lanes: lanes.count, rule: rule) { lanes[$0].delta(pattern) }
  }
}
