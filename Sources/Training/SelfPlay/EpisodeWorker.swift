import NTupleNetwork
import RandomSources
import TDLearning

/// A worker whose random source and update path are chosen at run time.
///
/// The type is opened once for every stretch between barriers; within it everything is static.
protocol EpisodeWorker: AnyObject, Sendable {
  /// Plays episodes that `ledger` hands out until it hands out none.
  func playEpisodes(from ledger: EpisodeLedger, learningRate: (_ episode: Int) -> Double)

  /// The state of the worker's random source, at a barrier.
  var sourceState: [UInt64] { get }
}

/// The worker for one source and one update path.
///
/// Safety: (1) `worker` is touched by `playEpisodes`, which one thread at a time runs, and by
/// `sourceState`, which is read at barriers only; (2) the threads of a stretch are joined before a
/// barrier is reached, which orders the accesses.
final class SelfPlayEpisodeWorker<Source: RandomSource, Update: MinibatchUpdate>: EpisodeWorker,
  @unchecked Sendable
{
  private var worker: SelfPlayWorker<Source, Update>

  init(_ worker: SelfPlayWorker<Source, Update>) {
    self.worker = worker
  }

  var sourceState: [UInt64] { worker.source.state }

  func playEpisodes(from ledger: EpisodeLedger, learningRate: (_ episode: Int) -> Double) {
    while let episode = ledger.claim() {
      ledger.record(worker.playEpisode(learningRate: Float(learningRate(episode))))
    }
  }
}

/// Makes the workers of a run.
struct EpisodeWorkerFactory {
  let network: NTupleNetwork
  let configuration: TrainingConfiguration

  /// A worker that draws its spawns from `source`.
  func makeWorker(drawingFrom source: any RandomSource) -> any EpisodeWorker {
    func open(_ source: some RandomSource) -> any EpisodeWorker {
      switch configuration.updatePath {
      case .blas: make(source, BLASUpdate.self)
      case .plain: make(source, PlainUpdate.self)
      }
    }
    return open(source)
  }

  private func make<Source: RandomSource, Update: MinibatchUpdate>(
    _ source: Source, _ update: Update.Type
  ) -> any EpisodeWorker {
    SelfPlayEpisodeWorker(
      SelfPlayWorker(
        network: network, rules: configuration.rules,
        learner: EpisodeLearner<Update>(
          network: network, batchSize: configuration.batchSize),
        source: source))
  }
}
