import DenseKernels
import NTupleNetwork
import TDLearning

/// The cost of updates alone: recorded episodes are taken in and applied, and nobody plays.
///
/// The learning rate is 0, so that every repeat finds the same weights; what is read and written stays
/// the same. In training an update costs less, for play has just fetched the same cache lines.
package enum UpdateBenchmark {
  /// Measures all update paths with all batch sizes, in turn.
  ///
  /// - Parameter moves: the moves of one measurement, at least; whole episodes are taken.
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
          // Weights of later stages that were not learned are, after an update by nothing.
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
    _ episodes: [[GreedyMove]], _ learner: BatchLearner
  ) -> Measurement {
    var learner = learner
    return Measurement.of {
      for episode in episodes {
        for move in episode { learner.observe(move) }
        learner.finishEpisode()
      }
      return Measurement.Result(moves: episodes.reduce(0) { $0 + $1.count })
    }
  }
}
