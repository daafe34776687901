import NTupleNetwork
import TestSupport
import Testing

@testable import Learning
@testable import Training

/// Tests that a move costs nothing besides its arithmetic. They count calls; they do not measure time.
@Suite(.enabled(if: Counters.areAvailable)) struct CostTests {
  /// Returns the cost of `episodes` episodes for one worker, and their moves.
  private func cost(
    of configuration: TrainingConfiguration, episodes: Int
  ) throws -> (counters: Counters, moves: Int) {
    let network = NTupleNetwork(try configuration.networkShape())
    let method = configuration.method.steps[0].value
    let rule: any UpdateRule = method.rule.init(
      learningRate: Float(method.rule.usualLearningRate),
      accumulators: Accumulators(network.shape, for: [method]))
    let player = SelfPlayer(
      configuration, network: network,
      learner: BatchLearner(
        network: network, returns: configuration.returnEstimate,
        batchSize: configuration.batchSize),
      state: nil, seed: 7)
    let ledger = EpisodeLedger()
    func play() {
      while ledger.claim() != nil {
        player.withLearner { $0.rule = rule }
        var moves = Int.max
        if let result = player.play(&moves, .opening) { ledger.record(result) }
      }
    }
    // The first games include one-time initialisation, also that of libraries.
    ledger.open(until: 5, deadline: nil)
    play()
    let before = ledger.snapshot.moves
    ledger.open(until: 5 + episodes, deadline: nil)
    let counters = Counters.of { play() }
    return (counters, ledger.snapshot.moves - before)
  }

  @Test(arguments: LearningMethod.allCases)
  func trainingAllocatesAndRetainsNothing(method: LearningMethod) throws {
    var configuration = TrainingConfiguration()
    configuration.patterns = ["0123", "4567"]
    configuration.method = StepSchedule(constant: method)
    configuration.returns = .lambda
    // There are many batches per game, and a shorter one at its end.
    configuration.batchSize = 16
    for episodes in [20, 40] {
      let (counters, moves) = try cost(of: configuration, episodes: episodes)
      #expect(moves > 100 * episodes)
      #expect(counters.allocations == 0, "in \(episodes) episodes of \(moves) moves")
      // The rule is set up per episode, and its tables per batch; nothing is set up per move.
      let batches = moves / configuration.batchSize + episodes
      #expect(
        counters.referenceOperations <= 2 * batches + 8 * episodes,
        "in \(episodes) episodes of \(moves) moves")
    }
  }
}
