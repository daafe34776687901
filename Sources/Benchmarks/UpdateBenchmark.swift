import NTupleNetwork
import TDLearning
import Training

/// The cost of updates alone: recorded episodes are taken in and applied, and nobody plays.
///
/// The learning rate is 0, so that every repeat finds the same weights; what is read and written stays
/// the same. In training an update costs less, for play has just fetched the same cache lines.
public enum UpdateBenchmark {
  /// Measures all update paths with all batch sizes, in turn.
  ///
  /// - Parameter moves: the moves of one measurement, at least; whole episodes are taken.
  public static func run(
    network: TrainedNetwork, paths: [UpdatePath], batchSizes: [Int], moves: Int,
    plan: BenchmarkPlan, progress: (_ done: Int, _ total: Int) -> Void
  ) throws -> BenchmarkReport {
    let episodes = RecordedGames.record(network.original, moves: moves)
    let working = network.restored()
    let variants = batchSizes.flatMap { batchSize in
      paths.map { path in
        Variant(
          parameters: [
            .init("network", network.name), .init("path", path.rawValue), .init("batch", batchSize),
          ], threads: 1
        ) {
          switch path {
          case .blas:
            measure(episodes, EpisodeLearner<BLASUpdate>(network: working, batchSize: batchSize))
          case .plain:
            measure(episodes, EpisodeLearner<PlainUpdate>(network: working, batchSize: batchSize))
          }
        }
      }
    }
    return BenchmarkReport(
      "update", plan: plan, rows: try Alternation.run(variants, plan: plan, progress: progress))
  }

  @inline(__always)
  private static func measure<Update: MinibatchUpdate>(
    _ episodes: [[GreedyMove]], _ learner: EpisodeLearner<Update>
  ) -> Measurement {
    var learner = learner
    return Measurement.of {
      for episode in episodes {
        for move in episode { learner.observe(move, learningRate: 0) }
        learner.finishEpisode(learningRate: 0)
      }
      return Measurement.Result(moves: episodes.reduce(0) { $0 + $1.count })
    }
  }
}
