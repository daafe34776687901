import Basics
import Configuration
import NTupleNetwork
import Synchronization
import TDLearning

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
  private let lanes: [LaneWorker]
  private let threads: [RoundThread]
  private let patterns: Int
  private var uncounted: [EpisodeResult]

  /// The lanes that `configuration` describes, as they were saved or at their beginning.
  init(
    network: NTupleNetwork, configuration: TrainingConfiguration, ledger: EpisodeLedger,
    state: RoundState?
  ) {
    self.ledger = ledger
    self.configuration = configuration
    let factory = LaneFactory(network: network, configuration: configuration)
    lanes = (0..<configuration.lanes).map { index in
      factory.makeLane(index, state: state?.lanes[index])
    }
    patterns = network.numberOfPatterns
    threads = (0..<configuration.threadsAtWork(patterns: patterns)).map { _ in
      RoundThread(network: network, configuration: configuration)
    }
    uncounted = state?.uncounted ?? []
  }

  /// What to save between rounds.
  var state: RoundState {
    RoundState(lanes: lanes.map(\.state), uncounted: uncounted)
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
            thread.apply(pattern: pattern, of: lanes, stepSize: round.plan.stepSize)
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
      network: network, path: configuration.updatePath, scratch: scratch(lanes: configuration.lanes)
    )
  }

  func apply(pattern: Int, of lanes: [LaneWorker], stepSize: StepSize) {
    combiner.apply(pattern: pattern, lanes: lanes.count, stepSize: stepSize) {
      lanes[$0].deltas[pattern]
    }
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
