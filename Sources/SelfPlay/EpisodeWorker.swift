import Configuration
import NTupleNetwork
import RandomSources
import TDLearning

/// A worker whose random source is chosen at run time.
///
/// It is two closures, not a protocol: the optimiser compiles a closure for the types that it
/// captures, but a generic class behind a protocol only once for all.
///
/// Safety: (1) the worker that both closures share is touched by `play`, which one thread at a time
/// runs, and by `readState`, which is called at barriers only; (2) the threads of a stretch are joined
/// before a barrier is reached, which orders the accesses.
package final class EpisodeWorker: @unchecked Sendable {
  /// What is decided of an episode beforehand, by its number.
  typealias Plans = (_ episode: Int) -> EpisodePlan

  /// What has to be kept of a worker while it pauses.
  package struct State: Codable, Equatable, Sendable {
    /// The state of the random source.
    var source: [UInt64]
    var starts: EpisodeStarts.State
  }

  private let play: (EpisodeLedger, Plans) -> Void
  private let readState: () -> State

  @inline(__always)
  init<Source: RandomSource>(_ worker: SelfPlayWorker<Source>) {
    var worker = worker
    play = { ledger, plan in
      while let episode = ledger.claim() { ledger.record(worker.playEpisode(plan(episode))) }
    }
    readState = { State(source: worker.source.state, starts: worker.starts.state) }
  }

  /// Plays episodes that `ledger` hands out until it hands out none.
  func playEpisodes(from ledger: EpisodeLedger, plan: Plans) {
    play(ledger, plan)
  }

  /// What has to be kept of the worker, at a barrier.
  package var state: State { readState() }
}

/// Makes the workers of a run.
///
/// Every random source is spelled out, so that the worker is compiled for each on its own.
package struct EpisodeWorkerFactory {
  package let network: NTupleNetwork
  package let configuration: TrainingConfiguration

  /// A worker that goes on from a saved state, or starts from a seed if there is none or it cannot be
  /// one.
  package func makeWorker(state: EpisodeWorker.State?, seed: UInt64) -> EpisodeWorker {
    switch configuration.randomSource {
    case .xoshiro256: make(Xoshiro256.self, state, seed)
    case .mersenneTwister64: make(MersenneTwister64.self, state, seed)
    case .javaLinearCongruential: make(JavaLinearCongruential.self, state, seed)
    case .arc4: make(ARC4.self, state, seed)
    }
  }

  @inline(__always)
  private func make<Source: RandomSource>(
    _ type: Source.Type, _ state: EpisodeWorker.State?, _ seed: UInt64
  ) -> EpisodeWorker {
    EpisodeWorker(
      SelfPlayWorker(
        network: network, rules: configuration.rules,
        learner: EpisodeLearner(
          network: network, returns: configuration.returnEstimate, path: configuration.updatePath,
          batchSize: configuration.batchSize),
        starts: EpisodeStarts(configuration.startSettings, state: state?.starts),
        source: state.flatMap { Source(state: $0.source) } ?? Source(seed: seed)))
  }
}
