import Game2048
import NTupleNetwork
import TestSupport
import Testing

@testable import Training

/// What a move costs besides its arithmetic: nothing. These tests count, and time nothing.
@Suite(.enabled(if: Counters.areAvailable)) struct CostTests {
  /// What `episodes` episodes cost one worker, and their moves.
  private func cost(
    of configuration: TrainingConfiguration, episodes: Int
  ) throws -> (counters: Counters, moves: Int) {
    let network = NTupleNetwork(try configuration.networkShape())
    let worker = EpisodeWorkerFactory(network: network, configuration: configuration)
      .makeWorker(state: nil, seed: 7)
    let ledger = EpisodeLedger()
    // What is set up once, by a library too, is set up in the first games.
    ledger.open(until: 5, deadline: nil)
    worker.playEpisodes(from: ledger) { _ in 0.1 }
    let before = ledger.snapshot.moves
    ledger.open(until: 5 + episodes, deadline: nil)
    let counters = Counters.of { worker.playEpisodes(from: ledger) { _ in 0.1 } }
    return (counters, ledger.snapshot.moves - before)
  }

  @Test(arguments: LearningMethod.allCases, UpdatePath.allCases)
  func trainingAllocatesAndRetainsNothing(method: LearningMethod, path: UpdatePath) throws {
    var configuration = TrainingConfiguration()
    configuration.patterns = ["0123", "4567"]
    configuration.method = method
    configuration.updatePath = path
    // Many batches in a game, and a shorter one at its end.
    configuration.batchSize = 16
    for episodes in [20, 40] {
      let (counters, moves) = try cost(of: configuration, episodes: episodes)
      #expect(moves > 100 * episodes)
      #expect(counters == Counters(), "in \(episodes) episodes of \(moves) moves")
    }
  }
}
