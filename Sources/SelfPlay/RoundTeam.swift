import Basics
import Configuration
import NTupleNetwork
import RandomSources
import Synchronization
import TDLearning

/// A logical player of synchronous mode: a random source, a game in progress, and what is being learned
/// from it. Which thread plays a round of it does not matter.
///
/// Safety: (1) one thread at a time plays a round of a lane, and appends to `finished`; (2) a barrier
/// of all threads lies between that and every use of `deltas`, and between these and the next round;
/// (3) `finished` is emptied, and `state` read, while no thread plays.
private final class Lane: @unchecked Sendable {
  /// The episodes that ended in the last round.
  var finished: [EpisodeResult] = []
  private let player: SelfPlayer<RoundLearner>

  init(
    _ configuration: TrainingConfiguration, network: NTupleNetwork, state: PlayerState?,
    seed: UInt64
  ) {
    var learner = RoundLearner(
      network: network, returns: configuration.returnEstimate, backend: configuration.updatePath,
      batchSize: configuration.movesPerLane)
    if let state { learner.waiting = state.waiting }
    player = SelfPlayer(
      configuration, network: network, learner: learner, state: state, seed: seed)
  }

  /// Plays `moves` moves on the weights as they are, and makes the blocks of what they teach.
  func playRound(moves: Int, start: StartRule, using scratch: DeltaScratch) {
    var remaining = moves
    while remaining > 0 {
      if let result = player.play(&remaining, start) { finished.append(result) }
    }
    player.withLearner { $0.finishRound(using: scratch) }
  }

  /// The block that the last round adds to a pattern.
  func delta(_ pattern: Int) -> PatternDelta {
    var delta: PatternDelta?
    player.withLearner { delta = $0.deltas[pattern] }
    return delta!
  }

  /// The lane between rounds.
  var state: PlayerState {
    var state = player.state
    player.withLearner { state.waiting = $0.waiting }
    return state
  }
}

/// The lanes of synchronous learning, and the threads that play them.
///
/// In a round every lane plays its share of `roundMoves` moves against the same weights; then the blocks of all lanes
/// are applied, lane by lane. Threads take lanes in the first part and patterns in the second, as they
/// come: neither depends on the order, so the weights do not depend on the threads.
///
/// Episodes count in the order of the lanes at the end of the round in which they end. Those past the
/// one that is due wait, so that barriers are at the episodes where they are due, whatever a round
/// holds; the weights there are those after the round.
///
/// One thread at a time uses a team.
final class RoundTeam {
  private let ledger: EpisodeLedger
  private let configuration: TrainingConfiguration
  private let lanes: [Lane]
  private let threads: [RoundThread]
  private let patterns: Int
  private var uncounted: [EpisodeResult]

  /// The lanes that `configuration` describes, as they were saved or at their beginning.
  init(
    network: NTupleNetwork, configuration: TrainingConfiguration, ledger: EpisodeLedger,
    state: SelfPlayState?
  ) {
    self.ledger = ledger
    self.configuration = configuration
    // The spawns of a lane follow from the seed and its number alone.
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

  /// The lanes between rounds.
  var state: SelfPlayState {
    SelfPlayState(players: lanes.map(\.state), uncounted: uncounted)
  }

  /// Plays rounds until `limit` episodes or `moveLimit` moves of the run are done, or `deadline` has
  /// passed; one round is played even if that has.
  func play(
    until limit: Int, deadline: SuspendingClock.Instant?, moveLimit: Int,
    plan: (_ episode: Int) -> EpisodePlan
  ) {
    if count(until: limit, moveLimit) || ledger.isStopRequested { return }
    withoutActuallyEscaping(plan) { plan in
      let round = Round(plan(ledger.snapshot.episodes))
      let barrier = ThreadBarrier()
      let (lanes, threads, patterns) = (lanes, threads, patterns)
      let moves = configuration.movesPerLane
      let end = RoundEnd { [self] in
        for lane in lanes {
          uncounted += lane.finished
          lane.finished.removeAll(keepingCapacity: true)
        }
        round.isLast =
          count(until: limit, moveLimit) || ledger.isStopRequested
          || deadline.map { RunClock.now >= $0 } ?? false
        round.begin(plan(ledger.snapshot.episodes))
      }
      WorkerThreads.run(count: threads.count) { index, members in
        let thread = threads[index]
        repeat {
          while let lane = round.nextLane(of: lanes.count) {
            lanes[lane].playRound(
              moves: moves, start: round.plan.start, using: thread.laneScratch)
          }
          barrier.wait(for: members) {}
          while let pattern = round.nextPattern(of: patterns) {
            thread.apply(pattern: pattern, of: lanes, rule: round.plan.rule)
          }
          barrier.wait(for: members) { end.body() }
        } while !round.isLast
      }
    }
  }

  /// Counts episodes that have ended, until `limit` of them or `moveLimit` moves are done.
  ///
  /// - Returns: whether they are.
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

/// What a thread of a ``RoundTeam`` works with.
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
      network: network, backend: configuration.updatePath,
      scratch: scratch(lanes: configuration.lanes)
    )
  }

  func apply(pattern: Int, of lanes: [Lane], rule: any UpdateRule) {
    combiner.apply(pattern: pattern, lanes: lanes.count, rule: rule) { lanes[$0].delta(pattern) }
  }
}

/// What the threads of a round share.
///
/// Safety: `plan` and `isLast` are written by one thread while the others wait at a barrier, which
/// orders the accesses.
private final class Round: @unchecked Sendable {
  var plan: EpisodePlan
  var isLast = false
  private let lane = Atomic<Int>(0)
  private let pattern = Atomic<Int>(0)

  init(_ plan: EpisodePlan) { self.plan = plan }

  func begin(_ plan: EpisodePlan) {
    self.plan = plan
    lane.store(0, ordering: .relaxed)
    pattern.store(0, ordering: .relaxed)
  }

  /// The next lane to play in this round, if there is one left.
  func nextLane(of count: Int) -> Int? { Round.next(lane, count) }

  /// The next pattern to apply in this round, if there is one left.
  func nextPattern(of count: Int) -> Int? { Round.next(pattern, count) }

  private static func next(_ counter: borrowing Atomic<Int>, _ count: Int) -> Int? {
    let number = counter.wrappingAdd(1, ordering: .relaxed).oldValue
    return number < count ? number : nil
  }
}

/// What is done between two rounds.
///
/// Safety: the last thread to arrive at a barrier calls it, while the others wait there.
private struct RoundEnd: @unchecked Sendable {
  let body: () -> Void
}
