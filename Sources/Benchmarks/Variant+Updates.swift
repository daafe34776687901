import Basics
import DenseKernels
import NTupleNetwork
import TDLearning

extension Variant {
  /// The speed of updates alone: a learner processes recorded episodes, without play.
  ///
  /// The learning rate is 0, so that every repeat starts from the same weights; the memory that is read and
  /// written stays the same. In training, an update is faster because play has just loaded the same cache
  /// lines.
  package static func updates(
    of network: TrainedNetwork, backend: KernelBackend, batchSize: Int,
    episodes: [[GreedyMove]]
  ) -> Variant {
    DenseKernels.useOneThreadPerCaller()
    return Variant(
      parameters: [
        "network": .string(network.name), "path": .string(backend.rawValue),
        "batch": .integer(batchSize),
      ], threadsAtWork: 1
    ) {
      // Restored each time, because even an update by 0 marks weights of later stages as learned.
      var learner = BatchLearner(
        network: network.restored(), returns: .oneStep, backend: backend, batchSize: batchSize)
      return Measurement.timing {
        for episode in episodes {
          for move in episode { learner.observe(move) }
          learner.finishEpisode()
        }
        return Measurement(moves: episodes.reduce(0) { $0 + $1.count })
      }
    }
  }
}
