import Game2048
import NTupleNetwork
import TestSupport
import Testing

@testable import Learning
@testable import Training

/// Tests of the network, the updates and the workers with a game whose exact values are known.
@Suite struct SolvedGameTests {
  @Test(arguments: [ReturnEstimate.oneStep, .lambda(0.5)])
  func learnsTheValuesOfItsPolicyAndPlaysWell(returns: ReturnEstimate) {
    let rules = Rules(size: 2)
    // One pattern of all four cells can represent any value function of this board.
    let network = NTupleNetwork(TestNetworks.shape(["0145"], size: 2))
    // Greedy play explores new moves only if their values are high. The initial value of every afterstate is
    // therefore higher than that of the best game.
    network.setInitialValue(150)
    var player = SelfPlayGame(
      network: network, rules: rules,
      learner: BatchLearner(network: network, returns: returns, batchSize: 8),
      starts: EpisodeStarts(TrainingConfiguration().startSettings), source: Xoshiro256(seed: 2))
    // With a constant learning rate the noise would not vanish, so the rate decreases in steps.
    for (episodes, rate) in [(40_000, Float(0.1)), (60_000, 0.02), (150_000, 0.003)] {
      player.learner.rule = TemporalDifference(learningRate: rate)
      for _ in 0..<episodes {
        var moves = Int.max
        _ = player.play(&moves, start: .opening)
      }
    }

    let policy: SolvedGame.Policy = { network.greedyMove(from: $0, rules: rules)?.direction }
    let achieved = SolvedGame(rules: rules, policy: policy)
    let optimum = SolvedGame(rules: rules).startValue
    #expect(achieved.startValue >= 0.98 * optimum)

    // Every value is a noisy estimate. Single values may be wrong by a few points of 67 for a game, but their
    // mean must be right.
    let visited = afterstates(of: network, rules: rules, episodes: 50_000, atLeast: 500)
    #expect(visited.count > 50)
    var errors = 0.0
    for board in visited {
      let exact = achieved.value(ofAfterstate: board)
      let learned = Double(network.value(ofPlanes: board.planes))
      errors += abs(learned - exact)
      #expect(
        abs(learned - exact) <= 0.05 * optimum, "\(board.text): \(learned), exactly \(exact)")
    }
    #expect(errors / Double(visited.count) <= 0.012 * optimum)
  }

  /// Returns the afterstates that greedy play visits often.
  private func afterstates(
    of network: NTupleNetwork, rules: Rules, episodes: Int, atLeast count: Int
  ) -> [Board] {
    var visits: [Board: Int] = [:]
    var source = Xoshiro256(seed: 3)
    for _ in 0..<episodes {
      var board = rules.startBoard(using: &source)
      while let move = network.greedyMove(from: board, rules: rules) {
        visits[move.afterstate, default: 0] += 1
        board = move.afterstate
        rules.spawn(on: &board, using: &source)
      }
    }
    return visits.filter { $0.value >= count }.map(\.key)
  }
}
