import NTupleNetwork
import RandomSources
import TDLearning

/// A worker whose random source and update path are chosen at run time.
///
/// It is two closures, not a protocol: the optimiser compiles a closure for the types that it
/// captures, but a generic class behind a protocol only once for all.
///
/// Safety: (1) the worker that both closures share is touched by `play`, which one thread at a time
/// runs, and by `readState`, which is called at barriers only; (2) the threads of a stretch are joined
/// before a barrier is reached, which orders the accesses.
final class EpisodeWorker: @unchecked Sendable {
  /// The total learning rate of an episode, by its number.
  typealias Rate = (_ episode: Int) -> Double

  private let play: (EpisodeLedger, Rate) -> Void
  private let readState: () -> [UInt64]

  @inline(__always)
  init<Source: RandomSource, Update: MinibatchUpdate>(_ worker: SelfPlayWorker<Source, Update>) {
    var worker = worker
    play = { ledger, rate in
      while let episode = ledger.claim() {
        ledger.record(worker.playEpisode(learningRate: Float(rate(episode))))
      }
    }
    readState = { worker.source.state }
  }

  /// Plays episodes that `ledger` hands out until it hands out none.
  func playEpisodes(from ledger: EpisodeLedger, learningRate: Rate) {
    play(ledger, learningRate)
  }

  /// The state of the worker's random source, at a barrier.
  var sourceState: [UInt64] { readState() }
}

/// Makes the workers of a run.
///
/// Every combination of source and update is spelled out, so that each is compiled on its own.
struct EpisodeWorkerFactory {
  let network: NTupleNetwork
  let configuration: TrainingConfiguration

  /// A worker that goes on from a saved state of its random source, or starts from a seed if there
  /// is none or it cannot be one.
  func makeWorker(state: [UInt64]?, seed: UInt64) -> EpisodeWorker {
    switch configuration.randomSource {
    case .xoshiro256: make(Xoshiro256.self, state, seed)
    case .mersenneTwister64: make(MersenneTwister64.self, state, seed)
    case .javaLinearCongruential: make(JavaLinearCongruential.self, state, seed)
    case .arc4: make(ARC4.self, state, seed)
    }
  }

  @inline(__always)
  private func make<Source: RandomSource>(
    _ type: Source.Type, _ state: [UInt64]?, _ seed: UInt64
  ) -> EpisodeWorker {
    let source = state.flatMap { Source(state: $0) } ?? Source(seed: seed)
    return switch configuration.updatePath {
    case .blas: make(source, BLASUpdate.self)
    case .plain: make(source, PlainUpdate.self)
    }
  }

  @inline(__always)
  private func make<Source: RandomSource, Update: MinibatchUpdate>(
    _ source: Source, _ update: Update.Type
  ) -> EpisodeWorker {
    EpisodeWorker(
      SelfPlayWorker(
        network: network, rules: configuration.rules,
        learner: EpisodeLearner<Update>(
          network: network, batchSize: configuration.batchSize),
        source: source))
  }
}
