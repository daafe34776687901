import DenseKernels
import NTupleNetwork
import TDLearning

/// The speed of updates alone: learners process recorded episodes, without play.
///
/// The learning rate is 0, so that every repeat starts from the same weights; the memory that is read and
/// written stays the same. In training, an update is faster because play has just loaded the same cache
/// lines.
package enum UpdateBenchmark {
  /// Measures all kernel backends with all batch sizes, in turn.
  ///
  /// - Parameters:
  ///   - network: The network that plays the recorded episodes and is updated.
  ///   - paths: The kernel backends.
  ///   - batchSizes: The batch sizes.
  ///   - moves: The minimum number of moves of one measurement; it ends with an episode.
  ///   - plan: The number of measurements.
  ///   - progress: Called after every measurement with the number done and the total.
  package static func run(
    network: TrainedNetwork, paths: [KernelBackend], batchSizes: [Int], moves: Int,
    plan: BenchmarkPlan, progress: (_ done: Int, _ total: Int) -> Void
  ) throws -> BenchmarkReport {
    DenseKernels.useOneThreadPerCaller()
    let episodes = RecordedGames.record(network, moves: moves)
    let variants = batchSizes.flatMap { batchSize in
      paths.map { path in
        Variant(
          parameters: [
            .init("network", network.name), .init("path", path.rawValue), .init("batch", batchSize),
          ], threadsAtWork: 1
        ) {
          // Restored each time, because even an update by 0 marks weights of later stages as learned.
          measure(
            episodes,
            BatchLearner(
              network: network.restored(), returns: .oneStep, backend: path, batchSize: batchSize))
        }
      }
    }
    return BenchmarkReport(
      "update", plan: plan, rows: try Alternation.run(variants, plan: plan, progress: progress))
  }

  private static func measure(
    _ episodes: [[GreedyMove]], _ learner: consuming BatchLearner
  ) -> Measurement {
    var learner = learner
    return Measurement.of {
      for episode in episodes {
        for move in episode { learner.observe(move) }
        learner.finishEpisode()
      }
      return Measurement.Played(moves: episodes.reduce(0) { $0 + $1.count })
    }
  }
}
