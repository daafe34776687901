import Arena
import DenseKernels
import NTupleNetwork
import RandomSources

/// The workers of a run: they play and learn on one shared network, a thread each.
///
/// ``TrainingRun`` drives a team from barrier to barrier; measurements and checks drive one without a
/// run directory. One thread uses a team; others may ask its ledger.
public final class SelfPlayTeam {
  /// Hands out the episodes, and sums up their results.
  public let ledger: EpisodeLedger
  private let configuration: TrainingConfiguration
  private let workers: [EpisodeWorker]

  /// The workers that `configuration` describes.
  ///
  /// - Parameters:
  ///   - ledger: where the run stands.
  ///   - sourceStates: the saved states of the workers' random sources; a worker without one starts
  ///     from the configuration's seed.
  /// - Precondition: the network has the configuration's patterns.
  public init(
    network: NTupleNetwork, configuration: TrainingConfiguration,
    ledger: EpisodeLedger = EpisodeLedger(), sourceStates: [[UInt64]] = []
  ) {
    DenseKernels.useOneThreadPerCaller()
    self.ledger = ledger
    self.configuration = configuration
    let factory = EpisodeWorkerFactory(network: network, configuration: configuration)
    // The episode keeps a worker that joins later from repeating what it played before.
    let seed = SplitMix64.streamSeed(UInt64(configuration.seed), ledger.snapshot.episodes)
    workers = (0..<configuration.threads).map { worker in
      factory.makeWorker(
        state: worker < sourceStates.count ? sourceStates[worker] : nil,
        seed: SplitMix64.streamSeed(seed, worker))
    }
  }

  /// Lets the workers play to a barrier, and waits for them all: until `limit` episodes of the run
  /// are done, or the first episode to end after `deadline`.
  public func play(until limit: Int, deadline: ContinuousClock.Instant? = nil) {
    let (ledger, workers) = (ledger, workers)
    let (rates, total) = (configuration.learningRate, configuration.episodes)
    ledger.open(until: limit, deadline: deadline)
    WorkerThreads.run(count: workers.count) { index in
      workers[index].playEpisodes(from: ledger) { rates.rate(atEpisode: $0, of: total) }
    }
  }

  /// The states of the workers' random sources, at a barrier.
  var sourceStates: [[UInt64]] { workers.map(\.sourceState) }
}
