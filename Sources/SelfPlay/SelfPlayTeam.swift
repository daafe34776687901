import Basics
import Configuration
import DenseKernels
import NTupleNetwork
import RandomSources
import TDLearning

/// The players of a run: they play and learn on one shared network.
///
/// In asynchronous mode each player has a thread and plays whole episodes; in synchronous mode the threads
/// play what is next in the rounds of a ``RoundTeam``.
///
/// A training run drives a team from barrier to barrier; measurements and checks drive one without a
/// run directory. One thread uses a team; others may ask its ledger.
public final class SelfPlayTeam {
  /// Hands out the episodes, and adds up their results.
  public let ledger: EpisodeLedger
  /// The tables that the update rules of the run keep.
  public let accumulators: Accumulators
  private let configuration: TrainingConfiguration
  private let mode: Mode

  private enum Mode {
    case asynchronous([SelfPlayer<BatchLearner>])
    case synchronous(RoundTeam)
  }

  /// The players that `configuration` describes.
  ///
  /// - Parameters:
  ///   - accumulators: the tables that the update rules have kept so far; by default, zeros.
  ///   - ledger: where the run stands.
  ///   - state: the saved players; those that it lacks start from the configuration's seed.
  /// - Precondition: the network and the accumulators have the configuration's shape, and the state fits
  ///   it.
  package init(
    network: NTupleNetwork, accumulators: Accumulators? = nil, configuration: TrainingConfiguration,
    ledger: EpisodeLedger, state: SelfPlayState?
  ) {
    DenseKernels.useOneThreadPerCaller()
    self.ledger = ledger
    self.configuration = configuration
    self.accumulators = accumulators ?? Accumulators(network.shape, for: configuration.methods)
    if configuration.mode == .synchronous {
      mode = .synchronous(
        RoundTeam(network: network, configuration: configuration, ledger: ledger, state: state))
      return
    }
    // The episode keeps a player that joins later from repeating what it played before.
    let seed = SplitMix64.streamSeed(UInt64(configuration.seed), ledger.snapshot.episodes)
    let saved = state?.players ?? []
    mode = .asynchronous(
      (0..<configuration.threads).map { number in
        SelfPlayer(
          configuration, network: network,
          learner: BatchLearner(
            network: network, returns: configuration.returnEstimate,
            backend: configuration.updatePath, batchSize: configuration.batchSize),
          state: number < saved.count ? saved[number] : nil,
          seed: SplitMix64.streamSeed(seed, number))
      })
  }

  /// The players of a run that begins.
  ///
  /// - Parameter accumulators: the tables that the update rules have kept so far; by default, zeros.
  /// - Precondition: the network and the accumulators have the configuration's shape.
  public convenience init(
    network: NTupleNetwork, accumulators: Accumulators? = nil,
    configuration: TrainingConfiguration
  ) {
    self.init(
      network: network, accumulators: accumulators, configuration: configuration,
      ledger: EpisodeLedger(), state: nil)
  }

  /// Lets the players play to a barrier, and waits for them all: until `limit` episodes of the run
  /// are done, or the first episode, or round, to end after `deadline` or with `moveLimit` moves of the
  /// run.
  ///
  /// - Parameter secondsBefore: the seconds that the run has trained for, which schedules follow in a
  ///   run of limited time.
  public func play(
    until limit: Int, deadline: SuspendingClock.Instant? = nil, moveLimit: Int = .max,
    secondsBefore: Double = 0
  ) {
    let plan = plan(began: RunClock.now, secondsBefore: secondsBefore)
    switch mode {
    case .asynchronous(let players):
      let ledger = ledger
      ledger.open(until: limit, deadline: deadline, moveLimit: moveLimit)
      // Episodes are handed out as threads come, so that some of them can do it.
      WorkerThreads.run(count: players.count) { index, _ in
        let player = players[index]
        while let episode = ledger.claim() {
          let plan = plan(episode)
          player.withLearner { $0.rule = plan.rule }
          var moves = Int.max
          if let result = player.play(&moves, plan.start) { ledger.record(result) }
        }
      }
    case .synchronous(let team):
      team.play(until: limit, deadline: deadline, moveLimit: moveLimit, plan: plan)
    }
  }

  /// The plan of every episode, in a stretch that `began` after this many seconds of training.
  private func plan(
    began: SuspendingClock.Instant, secondsBefore: Double
  ) -> @Sendable (_ episode: Int) -> EpisodePlan {
    let (methods, rates, starts) =
      (configuration.method, configuration.learningRate, configuration.starts)
    let (length, accumulators, ledger) = (configuration.length, accumulators, ledger)
    let window = configuration.coherenceWindow
    return { episode in
      let share = length.share(
        episodes: episode, moves: length.moves > 0 ? ledger.snapshot.moves : 0,
        seconds: length.seconds > 0 ? secondsBefore + began.duration(to: RunClock.now).seconds : 0)
      let settings = UpdateRuleSettings(
        learningRate: Float(rates.value(at: share)), coherenceWindow: window)
      return EpisodePlan(
        rule: methods.value(at: share).rule.init(settings, accumulators: accumulators),
        start: starts.value(at: share))
    }
  }

  /// The players, at a barrier.
  package var state: SelfPlayState {
    switch mode {
    case .asynchronous(let players): SelfPlayState(players: players.map(\.state))
    case .synchronous(let team): team.state
    }
  }
}
