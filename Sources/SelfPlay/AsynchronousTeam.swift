import Basics
import Configuration
import NTupleNetwork
import RandomSources
import Ranks
import TDLearning

/// The players of asynchronous mode, each of which has a thread and plays complete episodes.
///
/// In a job of several processes, every rank plays on its own copy of the weights, and the ranks merge their
/// copies at the end of each call of ``play(until:deadline:moveLimit:plan:)``; see `TableMerger`.
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
        network, accumulators, rule: configuration.mergeRule,
        sumsFade: configuration.coherenceWindow > 0, threads: configuration.threads)
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
          backend: configuration.kernelBackend, batchSize: configuration.batchSize),
        state: number < saved.count ? saved[number] : nil,
        seed: SplitMix64.streamSeed(seed, number))
    }
  }

  /// Lets the players play up to a barrier; see ``SelfPlayTeam/play(until:deadline:moveLimit:secondsBefore:)``.
  ///
  /// In a job of several processes, the barrier comes at the latest with the interval of `merging`. The ranks
  /// have equal shares of the episodes and moves up to a limit. At the barrier all copies of the weights
  /// are equal, and the ledger of every rank has counted the episodes of all.
  func play(
    until limit: Int, deadline: SuspendingClock.Instant?, moveLimit: Int,
    plan: @Sendable (_ episode: Int) -> EpisodePlan
  ) {
    guard let merger else {
      ledger.open(until: limit, deadline: deadline, moveLimit: moveLimit)
      return playEpisodes(plan)
    }
    let before = ledger.snapshot
    let moves = configuration.mergeEveryMoves
    let mergeDeadline = secondsToMerge.map { RunClock.now + .seconds($0) }
    let moveLimit = moves > 0 ? min(moveLimit, before.moves + moves) : moveLimit
    ledger.open(
      until: before.episodes + share(of: limit - before.episodes),
      deadline: [deadline, mergeDeadline].compactMap(\.self).min(),
      moveLimit: before.moves + share(of: moveLimit - before.moves))
    let began = RunClock.now
    playEpisodes(plan)
    let played = RunClock.now
    exchangeResults()
    readings.bytes += merger.merge(with: ranks)
    let seconds = played.duration(to: RunClock.now).seconds
    readings.count += 1
    readings.seconds += seconds
    // The budgets of all ranks count the same times.
    budget?.count(
      playing: ranks.gather([began.duration(to: played).seconds]).max()!,
      merging: ranks.gather([seconds]).max()!)
  }

  /// The time until the next merge, in seconds; nil if no time is set.
  private var secondsToMerge: Double? {
    let longest = configuration.mergeEverySeconds
    return [budget?.secondsToMerge, longest > 0 ? longest : nil].compactMap(\.self).min()
  }

  /// Plays the episodes for which the ledger is open.
  private func playEpisodes(_ plan: @Sendable (_ episode: Int) -> EpisodePlan) {
    let (players, ledger) = (players, ledger)
    // Each thread claims its next episode, so all episodes are played even if fewer threads start.
    WorkerThreads.run(count: players.count) { index, _ in
      let player = players[index]
      while let episode = ledger.claim() {
        let plan = plan(episode)
        player.withLearner { $0.rule = plan.rule }
        var moves = Int.max
        if let result = player.play(&moves, plan.start) { ledger.record(result) }
      }
    }
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
    for (rank, results) in ranks.gather([own]).enumerated() where rank != ranks.rank {
      ledger.add(results.played)
      if results.isStopRequested, ranks.isLeader { ledger.requestStop() }
    }
  }

  /// Lets weights inherit on all copies.
  func inheritWeights() { merger?.inheritWeights() }

  /// Returns the state of the players of all ranks at a barrier. All ranks call it together.
  func gatherState() -> SelfPlayState {
    SelfPlayState(players: ranks.gather(players.map { $0.state() }))
  }
}

/// What merging has taken.
package struct MergeReadings: Equatable, Sendable {
  /// The number of merges.
  package var count = 0
  /// The bytes that the ranks have sent each other.
  package var bytes = 0
  /// The time in seconds that this rank spent, with waiting for the others.
  package var seconds = 0.0
}
