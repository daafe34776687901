import Basics
import Configuration
import SelfPlay
import TDLearning

extension Variant {
  /// The speed of self-play with learning, measured with the workers of a training run.
  ///
  /// Every measurement starts from the same weights and the same seed.
  ///
  /// - Precondition: The configuration has the patterns of the network.
  /// - Throws: `LocatedError` if the accumulators that the training needs do not fit into memory.
  package static func training(
    _ network: TrainedNetwork, _ configuration: TrainingConfiguration,
    amount: BenchmarkPlan.Amount
  ) throws -> Variant {
    precondition(configuration.patterns == network.patterns, "the patterns differ")
    let keepsAccumulators = !Accumulators.names(for: configuration.methods).isEmpty
    if keepsAccumulators { try network.requireAccumulators() }
    let moves =
      configuration.mode == .synchronous ? configuration.roundMoves : configuration.batchSize
    return Variant(
      parameters: [
        "network": .string(network.name), "MiB": .integer(network.byteCount >> 20),
        "method": .string(configuration.methodText),
        "mode": .string(configuration.mode.rawValue),
        "path": .string(configuration.kernelBackend.rawValue), "batch": .integer(moves),
        "threads": .integer(configuration.threads),
      ],
      threadsAtWork: configuration.threadsAtWork(patterns: network.patterns.count)
    ) {
      let team = SelfPlayTeam(
        network: network.restored(),
        accumulators: keepsAccumulators ? network.restoredAccumulators() : nil,
        configuration: configuration)
      func play(_ amount: BenchmarkPlan.Amount) -> Measurement {
        team.ledger.beginReport()
        let (limit, deadline) = amount.limits(after: team.ledger.snapshot.episodes)
        let before = team.movesMade
        team.play(until: limit, deadline: deadline)
        return Measurement(
          moves: team.movesMade - before, meanScore: team.ledger.snapshot.sinceReport.meanScore)
      }
      _ = play(amount.warmUp)
      var measurement = Measurement.timing { play(amount) }
      measurement.movesPlayed = team.movesMade
      return measurement
    }
  }
}
