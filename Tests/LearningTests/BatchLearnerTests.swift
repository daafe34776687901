import Game2048
import NTupleNetwork
import TestSupport
import Testing

@testable import Learning

@Suite struct BatchLearnerTests {
  /// Plays greedy episodes with a learner, and returns the network.
  private func learned(batchSize: Int) -> NTupleNetwork {
    let network = NTupleNetwork(TestNetworks.shape(["0123", "0145"]))
    var learner = BatchLearner(
      network: network, returns: .oneStep, batchSize: batchSize)
    learner.rule = TemporalDifference(learningRate: 0.1)
    var source = Xoshiro256(seed: 3)
    for _ in 0..<20 {
      var board = Rules.standard.startBoard(using: &source)
      while let move = network.greedyMove(from: board, rules: .standard) {
        learner.observe(move)
        board = move.afterstate
        Rules.standard.spawn(on: &board, using: &source)
      }
      learner.finishEpisode()
    }
    return network
  }

  @Test func batchesOfOneAreOnlineTDZero() {
    // Batches of one move are applied after every move, like the updates of the reference.
    let network = NTupleNetwork(TestNetworks.shape(["0123", "0145"]))
    var source = Xoshiro256(seed: 3)
    let rate = Float(0.1) / Float(network.featureCount)
    for _ in 0..<20 {
      var board = Rules.standard.startBoard(using: &source)
      var previous: Board?
      while let move = network.greedyMove(from: board, rules: .standard) {
        if let previous {
          let error =
            Float(move.reward) + network.value(ofPlanes: move.afterstate.planes)
            - network.value(ofPlanes: previous.planes)
          network.add(rate * error, toFeaturesOf: previous.planes)
        }
        previous = move.afterstate
        board = move.afterstate
        Rules.standard.spawn(on: &board, using: &source)
      }
      if let previous {
        network.add(-rate * network.value(ofPlanes: previous.planes), toFeaturesOf: previous.planes)
      }
    }
    let difference =
      zip(
        TestNetworks.weights(of: learned(batchSize: 1)),
        TestNetworks.weights(of: network)
      ).map { abs($0 - $1) }.max() ?? 0
    // A value that rounds differently could change a move; this does not happen in these 20 short games.
    #expect(difference < 1e-2)
  }

  @Test(arguments: [1, 7, 64])
  func learningChangesWeights(batchSize: Int) {
    let network = learned(batchSize: batchSize)
    #expect(TestNetworks.weights(of: network).contains { $0 > 1 })
  }
}
