import Configuration
import NTupleNetwork
import SelfPlay
import TDLearning

/// The speed of self-play with learning, measured with the workers of a training run.
///
/// Every measurement starts from the same weights and the same seed.
package enum TrainingBenchmark {
  /// One way to train one network.
  package struct Case {
    let network: TrainedNetwork
    let configuration: TrainingConfiguration

    /// Creates a case.
    ///
    /// - Precondition: The configuration has the patterns of the network.
    package init(network: TrainedNetwork, configuration: TrainingConfiguration) {
      precondition(configuration.patterns == network.patterns, "the patterns differ")
      self.network = network
      self.configuration = configuration
    }

    var keepsAccumulators: Bool { Accumulators.count(for: configuration.methods) > 0 }
  }

  /// Measures all cases in turn.
  ///
  /// - Parameters:
  ///   - cases: The cases; the first one is the reference of all ratios.
  ///   - plan: The length and number of measurements.
  ///   - progress: Called after every measurement with the number done and the total.
  /// - Throws: `LocatedError` if the accumulators that a case needs do not fit into memory.
  package static func run(
    _ cases: [Case], plan: BenchmarkPlan, progress: (_ done: Int, _ total: Int) -> Void
  ) throws -> BenchmarkReport {
    for one in cases where one.keepsAccumulators {
      try one.network.requireAccumulators()
    }
    let variants = cases.map { one in
      Variant(
        parameters: parameters(one),
        threadsAtWork: one.configuration.threadsAtWork(patterns: one.network.patterns.count)
      ) {
        measure(one, plan.amount)
      }
    }
    return BenchmarkReport(
      "train", plan: plan, rows: try Alternation.run(variants, plan: plan, progress: progress))
  }

  private static func parameters(_ one: Case) -> [BenchmarkReport.Parameter] {
    [
      .init("network", one.network.name),
      .init("MiB", one.network.byteCount >> 20),
      .init("method", one.configuration.methodText),
      .init("mode", one.configuration.mode.rawValue),
      .init("path", one.configuration.updatePath.rawValue),
      .init(
        "batch",
        one.configuration.mode == .synchronous
          ? one.configuration.roundMoves : one.configuration.batchSize),
      .init("threads", one.configuration.threads),
    ]
  }

  private static func measure(_ one: Case, _ amount: BenchmarkPlan.Amount) -> Measurement {
    let team = SelfPlayTeam(
      network: one.network.restored(),
      accumulators: one.keepsAccumulators ? one.network.restoredAccumulators() : nil,
      configuration: one.configuration)
    _ = play(team, amount.warmUp)
    var measurement = Measurement.of { play(team, amount) }
    measurement.movesPlayed = team.ledger.snapshot.moves
    return measurement
  }

  /// Lets a team play, and returns the moves and the mean score.
  private static func play(
    _ team: SelfPlayTeam, _ amount: BenchmarkPlan.Amount
  ) -> Measurement.Played {
    team.ledger.beginReport()
    let (limit, deadline) = amount.limits(after: team.ledger.snapshot.episodes)
    team.play(until: limit, deadline: deadline)
    let played = team.ledger.snapshot.sinceReport
    return Measurement.Played(moves: played.moves, meanScore: played.meanScore)
  }
}
