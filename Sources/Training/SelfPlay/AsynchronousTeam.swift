import Basics
import Game2048
import Learning
import NTupleNetwork

/// The players of asynchronous mode, each of which has a thread and plays complete episodes.
///
/// In a job of several processes, every rank plays on its own copy of the weights, and the ranks merge their
/// copies in each call of ``play(until:deadline:moveLimit:plan:)``; see `TableMerger`.
///
/// Thread safety: one thread uses a team.
final class AsynchronousTeam {
  private let ledger: EpisodeLedger
  private let configuration: TrainingConfiguration
  private let ranks: any Communicator
  private let players: [SelfPlayer<BatchLearner>]
  /// Merges the copies of the ranks; nil in a job with one process.
  private let merger: TableMerger?
  /// The budget of `merging.timeShare`; nil if the interval does not follow it.
  private var budget: MergeBudget?
  /// When the last merge began; nil before the first.
  private var lastMerge: SuspendingClock.Instant?
  /// What merging has taken since the readings were last reset.
  var readings = MergeReadings()

  /// Creates the players of a configuration, from their saved state as far as there is one.
  init(
    network: NTupleNetwork, accumulators: Accumulators, configuration: TrainingConfiguration,
    ledger: EpisodeLedger, state: SelfPlayState?, ranks: any Communicator
  ) {
    self.ledger = ledger
    self.configuration = configuration
    self.ranks = ranks
    merger =
      ranks.size == 1
      ? nil
      : TableMerger(
        network, accumulators, threads: configuration.threads)
    budget =
      configuration.mergeTimeShare > 0 ? MergeBudget(share: configuration.mergeTimeShare) : nil
    let network = merger?.network ?? network
    // The seed depends on the episode, so that a player that is added later does not repeat games.
    let seed = SplitMix64.streamSeed(UInt64(configuration.seed), ledger.snapshot.episodes)
    let saved = state?.players ?? []
    let first = ranks.rank * configuration.threads
    players = (first..<first + configuration.threads).map { number in
      SelfPlayer(
        configuration, network: network,
        learner: BatchLearner(
          network: network, returns: configuration.returnEstimate,
          batchSize: configuration.batchSize),
        state: number < saved.count ? saved[number] : nil,
        seed: SplitMix64.streamSeed(seed, number))
    }
  }

  /// Lets the players play up to a barrier; see ``SelfPlayTeam/play(until:deadline:moveLimit:secondsBefore:)``.
  ///
  /// In a job of several processes, the barrier comes at the latest with the merge that is due by `merging`. The
  /// ranks have equal shares of the episodes and moves up to a limit. At the barrier the ledger of every rank has
  /// counted the episodes of all. The copies differ by what each rank has learned during the merge.
  func play(
    until limit: Int, deadline: SuspendingClock.Instant?, moveLimit: Int,
    plan: @Sendable (_ episode: Int) -> EpisodePlan
  ) {
    guard let merger else {
      ledger.open(until: limit, deadline: deadline, moveLimit: moveLimit)
      return playEpisodes(plan)
    }
    let moves = configuration.mergeEveryMoves
    let began = RunClock.now
    // Play during the last merge is a part of the interval.
    let mergeDeadline = secondsToMerge.map { (lastMerge ?? began) + .seconds($0) }
    let before = ledger.snapshot.moves
    openShare(
      until: limit, deadline: [deadline, mergeDeadline].compactMap(\.self).min(),
      moveLimit: moves > 0 ? before + min(moves, moveLimit - before) : moveLimit)
    playEpisodes(plan)
    let ended = RunClock.now
    lastMerge = ended
    var playing = began.duration(to: ended).seconds
    exchangeResults()
    if playsDuringMerges {
      let rate = Double(ledger.snapshot.sinceOpening.moves) / playing
      openShare(until: limit, deadline: deadline, moveLimit: moveLimit, playsOne: false)
      playing += mergeDuringPlay(merger, rate: rate, plan)
      exchangeResults()
    } else {
      readings.bytes += merger.merge(with: ranks)
    }
    let merging = began.duration(to: RunClock.now).seconds - playing
    readings.count += 1
    readings.seconds += merging
    // The budgets of all ranks count the same times.
    let times = ranks.gather([playing, merging])
    budget?.count(playing: times.map { $0[0] }.max()!, merging: times.map { $0[1] }.max()!)
  }

  /// Whether the ranks play on while they exchange what has changed.
  ///
  /// How much they play meanwhile depends on the time. So a job whose merges are due by moves alone waits instead.
  private var playsDuringMerges: Bool {
    configuration.mergeTimeShare > 0 || configuration.mergeEverySeconds > 0
  }

  /// Merges what has changed while the players play the episodes for which the ledger is open.
  ///
  /// - Parameter rate: The moves per second of play without a merge.
  /// - Returns: The time that as much play takes without a merge, in seconds.
  private func mergeDuringPlay(
    _ merger: TableMerger, rate: Double, _ plan: @Sendable (_ episode: Int) -> EpisodePlan
  ) -> Double {
    var merge = merger.takeChanges()
    let began = RunClock.now
    playEpisodes(plan) {
      merge = merger.exchange(merge, with: ranks)
      ledger.close()
    }
    let seconds = began.duration(to: RunClock.now).seconds
    merger.adopt(merge)
    readings.bytes += merge.bytes
    // Whoever has played nothing before cannot tell, and counts all of it as play.
    return rate > 0 ? min(seconds, Double(ledger.snapshot.sinceOpening.moves) / rate) : seconds
  }

  /// Merges what the ranks have learned during the last merge, so that all copies are equal.
  func settle() {
    guard let merger, playsDuringMerges else { return }
    let began = RunClock.now
    readings.bytes += merger.merge(with: ranks)
    readings.seconds += began.duration(to: RunClock.now).seconds
  }

  /// Opens the ledger for the share of this rank up to limits of the run.
  private func openShare(
    until limit: Int, deadline: SuspendingClock.Instant?, moveLimit: Int, playsOne: Bool = true
  ) {
    let before = ledger.snapshot
    ledger.open(
      until: before.episodes + share(of: limit - before.episodes), deadline: deadline,
      moveLimit: before.moves + share(of: moveLimit - before.moves), playsOne: playsOne,
      yieldsToSaves: false)
  }

  /// The time until the next merge, in seconds; nil if no time is set.
  private var secondsToMerge: Double? {
    let longest = configuration.mergeEverySeconds
    return [budget?.secondsToMerge, longest > 0 ? longest : nil].compactMap(\.self).min()
  }

  /// Plays the episodes for which the ledger is open, while the calling thread does something else.
  private func playEpisodes(
    _ plan: @Sendable (_ episode: Int) -> EpisodePlan, meanwhile: () -> Void = {}
  ) {
    let (players, ledger) = (players, ledger)
    // Each thread claims its next episode, so all episodes are played even if fewer threads start.
    let play = { @Sendable (index: Int, _: Int) in
      let player = players[index]
      while let episode = ledger.claim() {
        let plan = plan(episode)
        player.withLearner { $0.rule = plan.rule }
        var moves = Int.max
        if let result = player.play(&moves, plan.start) { ledger.record(result) }
      }
    }
    WorkerThreads.run(count: players.count, play, meanwhile: meanwhile)
  }

  /// Returns the share of this rank of a number of episodes or moves.
  private func share(of count: Int) -> Int {
    count / ranks.size + (ranks.rank < count % ranks.size ? 1 : 0)
  }

  /// What a rank tells the others at a merge, besides its changes.
  private struct Results: Codable {
    /// The episodes that it has played since the last merge.
    var played: EpisodeStatistics
    /// Whether it has been asked to stop.
    var isStopRequested: Bool
  }

  /// Counts the episodes that the other ranks have played.
  private func exchangeResults() {
    let own = Results(
      played: ledger.snapshot.sinceOpening, isStopRequested: ledger.isStopRequested)
    for (rank, results) in ranks.gather(own).enumerated() where rank != ranks.rank {
      ledger.add(results.played)
      if results.isStopRequested, ranks.isLeader { ledger.requestStop() }
    }
  }

  /// Lets weights inherit on all copies.
  func inheritWeights() { merger?.inheritWeights() }

  /// The states of the players of this rank at a barrier.
  var states: [PlayerState] { players.map { $0.state() } }
}

/// What merging has taken.
package struct MergeReadings: Equatable, Sendable {
  /// The number of merges.
  package var count = 0
  /// The bytes that the ranks have sent each other.
  package var bytes = 0
  /// The time in seconds that this rank lost, by waiting and by playing more slowly during an exchange.
  package var seconds = 0.0
}

/// The time that the ranks of a job may spend merging their copies of the weights.
///
/// Merging may take a share of all the time since the start. The first merges come early and exceed it, and the
/// intervals grow until this is made up for.
struct MergeBudget {
  /// The least time in seconds between two merges.
  static let leastSeconds = 1.0
  /// How many times as long as the last interval the next one may be.
  static let mostGrowth = 4.0

  /// The share of the time that merging may take, above 0 and below 1.
  let share: Double
  /// The time until the next merge, in seconds.
  private(set) var secondsToMerge = MergeBudget.leastSeconds
  /// The seconds of play that the merges so far still require; negative if there have been more.
  private var owed = 0.0

  /// Creates a budget of which nothing has been spent.
  init(share: Double) { self.share = share }

  /// Counts the time that the ranks have played since the last merge, and the time of the merge, in seconds.
  mutating func count(playing: Double, merging: Double) {
    // A merge that had to wait counts no longer than the play before it, so that it does not put off the
    // next one for long.
    let price = min(merging, playing) * (1 - share) / share
    owed += price - playing
    // The next merge is expected to take as long as this one.
    secondsToMerge = min(
      max(max(owed, 0) + price, MergeBudget.leastSeconds), MergeBudget.mostGrowth * secondsToMerge)
  }
}

extension Communicator {
  /// Replaces the entries of a table by those that it has on rank 0. All ranks call it together.
  ///
  /// - Precondition: The table has the same size on all ranks.
  package func broadcast(_ table: SharedWeights) {
    // 16 MiB at once.
    let pieceCount = 4 << 20
    unsafe table.withUnsafeWeights { weights in
      for start in stride(from: 0, to: weights.count, by: pieceCount) {
        let piece = unsafe UnsafeMutableBufferPointer(
          rebasing: weights[start..<min(start + pieceCount, weights.count)])
        // Pages of zeros take no memory as long as nobody writes them.
        var isZero: [UInt8] = [unsafe piece.allSatisfy { $0 == 0 } ? 1 : 0]
        unsafe isZero.withUnsafeMutableBytes { unsafe broadcast($0) }
        if isZero[0] == 0 { unsafe broadcast(UnsafeMutableRawBufferPointer(piece)) }
      }
    }
  }
}
