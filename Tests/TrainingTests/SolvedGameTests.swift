import Game2048
import NTupleNetwork
import RandomSources
import TestSupport
import Testing

@testable import Configuration
@testable import SelfPlay
@testable import TDLearning
@testable import Training

/// The product's own network, update and worker, on a game whose values are known exactly.
@Suite struct SolvedGameTests {
  @Test(arguments: KernelBackend.allCases, [ReturnEstimate.oneStep, .lambda(0.5)])
  func learnsTheValuesOfItsPolicyAndPlaysWell(backend: KernelBackend, returns: ReturnEstimate) {
    let rules = Rules(size: 2)
    // One pattern of all four cells can hold any value function of this board.
    let network = NTupleNetwork(TestNetworks.shape(["0145"], size: 2))
    // Greedy play tries what it has not tried only if that looks good: every afterstate begins at
    // more than the best game is worth.
    network.setInitialValue(150)
    var player = SelfPlayGame(
      network: network, rules: rules,
      learner: BatchLearner(network: network, returns: returns, backend: backend, batchSize: 8),
      starts: EpisodeStarts(TrainingConfiguration().startSettings), source: Xoshiro256(seed: 2))
    // The noise of a constant learning rate does not vanish, so it falls in steps.
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

    // Every value is an estimate from chance, so single ones may be off by a few points where a game
    // is worth 67; on the whole, they must be right.
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

  /// The afterstates that greedy play meets often.
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
