import Basics
import Configuration
import DenseKernels
import NTupleNetwork
import RandomSources
import TDLearning

/// The workers of a run: they play and learn on one shared network, a thread each.
///
/// In asynchronous mode a worker plays its own episodes; in synchronous mode it plays what is next in
/// the rounds of a ``RoundTeam``.
///
/// ``TrainingRun`` drives a team from barrier to barrier; measurements and checks drive one without a
/// run directory. One thread uses a team; others may ask its ledger.
public final class SelfPlayTeam {
  /// Hands out the episodes, and sums up their results.
  public let ledger: EpisodeLedger
  /// What temporal coherence keeps; nil if no part of the run uses it.
  public let coherence: TemporalCoherence?
  private let configuration: TrainingConfiguration
  private let play: Play

  private enum Play {
    case asynchronous([EpisodeWorker])
    case synchronous(RoundTeam)
  }

  /// The workers that `configuration` describes.
  ///
  /// - Parameters:
  ///   - coherence: what temporal coherence has kept so far; by default, nothing.
  ///   - ledger: where the run stands.
  ///   - states: the saved states of the workers; one without starts from the configuration's
  ///     seed.
  ///   - roundState: the saved state of synchronous learning; without one it starts from the seed.
  /// - Precondition: the network has the configuration's patterns.
  package init(
    network: NTupleNetwork, coherence: TemporalCoherence?, configuration: TrainingConfiguration,
    ledger: EpisodeLedger, states: [EpisodeWorker.State], roundState: RoundState?
  ) {
    DenseKernels.useOneThreadPerCaller()
    self.ledger = ledger
    self.configuration = configuration
    self.coherence =
      coherence ?? (configuration.usesCoherence ? TemporalCoherence(network.shape) : nil)
    if configuration.mode == .synchronous {
      play = .synchronous(
        RoundTeam(
          network: network, configuration: configuration, ledger: ledger, state: roundState))
      return
    }
    let factory = EpisodeWorkerFactory(network: network, configuration: configuration)
    // The episode keeps a worker that joins later from repeating what it played before.
    let seed = SplitMix64.streamSeed(UInt64(configuration.seed), ledger.snapshot.episodes)
    play = .asynchronous(
      (0..<configuration.threads).map { worker in
        factory.makeWorker(
          state: worker < states.count ? states[worker] : nil,
          seed: SplitMix64.streamSeed(seed, worker))
      })
  }

  /// The workers of a run that begins.
  ///
  /// - Parameter coherence: what temporal coherence has kept so far; by default, nothing.
  /// - Precondition: the network has the configuration's patterns.
  public convenience init(
    network: NTupleNetwork, coherence: TemporalCoherence? = nil,
    configuration: TrainingConfiguration
  ) {
    self.init(
      network: network, coherence: coherence, configuration: configuration,
      ledger: EpisodeLedger(), states: [], roundState: nil)
  }

  /// Lets the workers play to a barrier, and waits for them all: until `limit` episodes of the run
  /// are done, or the first episode, or round, to end after `deadline` or with `moveLimit` moves of the
  /// run.
  ///
  /// - Parameter secondsBefore: the seconds that the run has trained for, which schedules follow in a
  ///   run of limited time.
  public func play(
    until limit: Int, deadline: SuspendingClock.Instant? = nil, moveLimit: Int = .max,
    secondsBefore: Double = 0
  ) {
    let plans = plans(began: RunClock.now, secondsBefore: secondsBefore)
    switch play {
    case .asynchronous(let workers):
      let ledger = ledger
      ledger.open(until: limit, deadline: deadline, moveLimit: moveLimit)
      // Episodes are handed out as workers come, so that some of them can do it.
      WorkerThreads.run(count: workers.count) { index, _ in
        workers[index].playEpisodes(from: ledger, plan: plans)
      }
    case .synchronous(let team):
      team.play(until: limit, deadline: deadline, moveLimit: moveLimit, plan: plans)
    }
  }

  /// What is decided of every episode beforehand, in a stretch that `began` after so many seconds of
  /// training.
  private func plans(
    began: SuspendingClock.Instant, secondsBefore: Double
  ) -> @Sendable (_ episode: Int) -> EpisodePlan {
    let (methods, rates, starts) =
      (configuration.method, configuration.learningRate, configuration.starts)
    let (length, coherence, ledger) = (configuration.length, coherence, ledger)
    let window = configuration.coherenceWindow
    return { episode in
      let share = length.share(
        episodes: episode, moves: length.moves > 0 ? ledger.snapshot.moves : 0,
        seconds: length.seconds > 0 ? secondsBefore + began.duration(to: RunClock.now).seconds : 0)
      let rate = Float(rates.value(at: share))
      let stepSize =
        switch methods.value(at: share) {
        case .td: StepSize(learningRate: rate)
        case .tc:
          StepSize(.coherent(coherence!), learningRate: rate, coherenceWindow: window)
        }
      return EpisodePlan(stepSize: stepSize, start: starts.value(at: share))
    }
  }

  /// What has to be kept of the workers, at a barrier; nothing in synchronous mode.
  package var workerStates: [EpisodeWorker.State] {
    if case .asynchronous(let workers) = play { workers.map(\.state) } else { [] }
  }

  /// The state of synchronous learning, at a barrier; nil in asynchronous mode.
  package var roundState: RoundState? {
    if case .synchronous(let team) = play { team.state } else { nil }
  }
}
