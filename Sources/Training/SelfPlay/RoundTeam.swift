import Basics
import Game2048
import Learning
import NTupleNetwork
import Synchronization

/// A logical player of synchronous mode: a random source, a game in progress, and a learner.
///
/// Any thread can play a round of a lane.
///
/// Safety: (1) one thread at a time plays a round of a lane and appends to `finished`; (2) a rendezvous
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
      network: network, returns: configuration.returnEstimate,
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

  /// What the last round brought, for the other ranks.
  var message: RoundMessage.Lane {
    var deltas: [PatternDelta] = []
    player.readLearner { deltas = $0.deltas }
    return RoundMessage.Lane(finished: finished, deltas: deltas)
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
/// The ranks of a job share the lanes. After a round, every rank has the blocks of all lanes, and applies
/// them to its own copy of the weights. So the weights are the same on all ranks, and do not depend on
/// their number either.
///
/// Episodes count at the end of the round in which they end, in the order of the lanes. Episodes after
/// the one at which a barrier is due count after the barrier. Barriers therefore come at the right
/// episodes, however many end in a round. The weights at a barrier are those after the round.
///
/// Safety: (1) one thread at a time uses a team; (2) of the threads that it starts, the last to arrive at
/// a rendezvous writes `received`, `endsPlay`, `movesMade`, `plan`, `isLastRound` and `uncounted` while the
/// others wait there; (3) the rendezvous orders these writes before all later reads; (4) each combiner belongs to one of
/// these threads, and starting and joining threads orders its uses.
final class RoundTeam: @unchecked Sendable {
  private let ledger: EpisodeLedger
  private let configuration: TrainingConfiguration
  private let ranks: any Communicator
  private let shape: NetworkShape
  /// The numbers of the lanes of each rank.
  private let numbers: [Range<Int>]
  /// The numbers of the lanes of this rank.
  private let own: Range<Int>
  /// The lanes of this rank.
  private let lanes: [Lane]
  /// A combiner for each thread, whose scratch memory also serves the lanes that the thread plays.
  private let combiners: [DeltaCombiner]
  /// The episodes that have ended and do not count yet.
  private(set) var uncounted: [EpisodeResult]
  /// The moves that the lanes of all ranks have made since the team was created, also in games in progress.
  private(set) var movesMade = 0

  /// What the lanes of the other ranks brought, by the number of the lane; empty in a job with one process.
  private var received: [Int: RoundMessage.Lane] = [:]
  /// Whether a stop, a requested save or the deadline ends play after the round.
  private var endsPlay = false

  /// The plan of the round that is played, and whether it is the last before a barrier.
  private var plan: EpisodePlan?
  private var isLastRound = false
  /// The next lane to play in the round, and the next pattern to apply.
  private let nextLane = Atomic<Int>(0)
  private let nextPattern = Atomic<Int>(0)

  /// Creates the lanes of a configuration, from their saved state if there is one.
  init(
    network: NTupleNetwork, configuration: TrainingConfiguration, ledger: EpisodeLedger,
    state: SelfPlayState?, ranks: any Communicator
  ) {
    self.ledger = ledger
    self.configuration = configuration
    self.ranks = ranks
    shape = network.shape
    // The spawns of a lane depend only on the seed and the number of the lane.
    let seed = SplitMix64.streamSeed(UInt64(configuration.seed), 0)
    let (count, size) = (configuration.lanes, ranks.size)
    numbers = (0..<size).map { ($0 * count / size)..<(($0 + 1) * count / size) }
    own = numbers[ranks.rank]
    lanes = own.map { index in
      Lane(
        configuration, network: network, state: state?.players[index],
        seed: SplitMix64.streamSeed(seed, index))
    }
    combiners = (0..<configuration.threadsAtWork(patterns: shape.patterns.count)).map { _ in
      DeltaCombiner(
        network: network,
        scratch: DeltaScratch(
          lanes: count, batchSize: configuration.movesPerLane,
          returns: configuration.returnEstimate))
    }
    uncounted = state?.uncounted ?? []
  }

  /// The states of the lanes of this rank between rounds.
  var states: [PlayerState] { lanes.map(\.state) }

  /// Plays rounds until `limit` episodes or `moveLimit` moves of the run are done, or `deadline` has
  /// passed on a rank. One round is played even if the deadline has already passed.
  func play(
    until limit: Int, deadline: SuspendingClock.Instant?, moveLimit: Int,
    plan: @Sendable (_ episode: Int) -> EpisodePlan
  ) {
    begin(plan(ledger.snapshot.episodes))
    let rendezvous = Rendezvous()
    WorkerThreads.run(count: combiners.count) { [self] index, members in
      repeat {
        playRound(with: combiners[index], rendezvous, members, until: deadline)
        rendezvous.wait(for: members) {
          isLastRound = count(until: limit, moveLimit) || endsPlay
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
  private func playRound(
    with combiner: DeltaCombiner, _ rendezvous: Rendezvous, _ members: Int,
    until deadline: SuspendingClock.Instant?
  ) {
    let plan = plan!
    while let lane = RoundTeam.take(nextLane, of: lanes.count) {
      lanes[lane].playRound(
        moves: configuration.movesPerLane, start: plan.start, using: combiner.scratch)
    }
    rendezvous.wait(for: members) {
      endsPlay =
        ledger.isStopRequested || ledger.isSaveRequested
        || deadline.map { RunClock.now >= $0 } ?? false
      movesMade += configuration.lanes * configuration.movesPerLane
      if ranks.size > 1 { exchange() }
      for number in 0..<configuration.lanes { collect(number) }
    }
    while let pattern = RoundTeam.take(nextPattern, of: shape.patterns.count) {
      combiner.apply(pattern: pattern, lanes: configuration.lanes, rule: plan.rule) { lane in
        delta(pattern, ofLane: lane)
      }
    }
  }

  /// Sends what the lanes of this rank brought to all ranks, and receives what theirs brought.
  private func exchange() {
    let message = RoundMessage(endsPlay: endsPlay, lanes: lanes.map(\.message))
    let messages = ranks.allGather(message.bytes)
    for (rank, bytes) in messages.enumerated() where rank != ranks.rank {
      do {
        let message = try RoundMessage(bytes, lanes: numbers[rank].count, shape: shape)
        for (number, lane) in zip(numbers[rank], message.lanes) { received[number] = lane }
        endsPlay = endsPlay || message.endsPlay
        // Only a signal ends the play of another rank than the leader.
        if message.endsPlay, ranks.isLeader { ledger.requestStop() }
      } catch {
        fatalError("rank \(rank) sent a block that is not of this network: \(error)")
      }
    }
  }

  /// Takes over the episodes that ended in a lane of any rank.
  private func collect(_ number: Int) {
    guard own.contains(number) else {
      uncounted += received[number]!.finished
      return
    }
    let lane = lanes[number - own.lowerBound]
    uncounted += lane.finished
    lane.finished.removeAll(keepingCapacity: true)
  }

  /// Returns the block of a lane of any rank for a pattern.
  private func delta(_ pattern: Int, ofLane number: Int) -> PatternDelta {
    own.contains(number)
      ? lanes[number - own.lowerBound].delta(pattern) : received[number]!.deltas[pattern]
  }

  /// Returns the next number below `count`, or nil if none is left.
  private static func take(_ counter: borrowing Atomic<Int>, of count: Int) -> Int? {
    let number = counter.wrappingAdd(1, ordering: .relaxed).oldValue
    return number < count ? number : nil
  }

  /// Counts finished episodes until the run has `limit` episodes or `moveLimit` moves.
  ///
  /// - Returns: Whether one of the limits has been reached.
  func count(until limit: Int, _ moveLimit: Int) -> Bool {
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

/// What the lanes of a rank bring out of a round: the episodes that ended and the blocks of errors.
struct RoundMessage {
  /// The results of one lane.
  struct Lane {
    /// The episodes that ended.
    var finished: [EpisodeResult]
    /// The blocks of errors, in the order of the patterns.
    var deltas: [PatternDelta]
  }

  /// Whether the rank asks all ranks to end after this round.
  var endsPlay: Bool
  /// The rank's lanes, in order.
  var lanes: [Lane]

  /// The message as bytes, with numbers in the byte order of the machine.
  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(numbers: [UInt32(endsPlay ? 1 : 0)])
    for lane in lanes {
      bytes.append(numbers: [UInt32(lane.finished.count)])
      for result in lane.finished {
        bytes.append(numbers: [
          Int64(result.score), Int64(result.moves), Int64(result.largestExponent),
          result.isWholeGame ? 1 : 0,
        ])
      }
      for delta in lane.deltas {
        bytes.append(numbers: [UInt32(delta.count)])
        bytes.append(numbers: delta.keys)
        bytes.append(numbers: delta.errors)
        bytes.append(numbers: delta.magnitudes)
      }
    }
    return bytes
  }
}

extension RoundMessage {
  /// Reads the message of a rank with `lanes` lanes on networks of this shape.
  ///
  /// - Throws: `PatternDeltaError` for a block that does not belong to the network.
  /// - Precondition: The bytes come from ``bytes``.
  init(_ bytes: [UInt8], lanes: Int, shape: NetworkShape) throws(PatternDeltaError) {
    var rest = bytes[...]
    func takeCount() -> Int { Int(rest.removeNumbers(1, of: UInt32.self)[0]) }

    endsPlay = takeCount() == 1
    self.lanes = []
    for _ in 0..<lanes {
      let finished = (0..<takeCount()).map { _ in
        let fields = rest.removeNumbers(4, of: Int64.self).map(Int.init)
        return EpisodeResult(
          score: fields[0], moves: fields[1], largestExponent: fields[2],
          isWholeGame: fields[3] == 1)
      }
      var deltas: [PatternDelta] = []
      for pattern in shape.patterns.indices {
        let count = takeCount()
        deltas.append(
          try PatternDelta(
            pattern: pattern, of: shape, keys: rest.removeNumbers(count, of: UInt32.self),
            errors: rest.removeNumbers(count, of: Float.self),
            magnitudes: rest.removeNumbers(count, of: Float.self)))
      }
      self.lanes.append(Lane(finished: finished, deltas: deltas))
    }
    precondition(rest.isEmpty, "a message with more than its lanes")
  }
}
