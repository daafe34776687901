import Game2048
import NTupleNetwork
import RandomSources
import TestSupport
import Testing

@testable import TDLearning
@testable import Training

/// Counts the afterstates that are learned from, and leaves the learning to another update.
private struct CountingUpdate<Base: MinibatchUpdate>: MinibatchUpdate {
  private let base: Base
  let visits = VisitCounts()

  init(network: NTupleNetwork, rowCapacity: Int) {
    base = Base(network: network, rowCapacity: rowCapacity)
  }

  func apply(_ batch: EpisodeBatch, isTerminal: Bool, learningRate: Float) {
    for row in 0..<(isTerminal ? batch.rows : batch.rows - 1) { visits.add(batch.planes(row)) }
    base.apply(batch, isTerminal: isTerminal, learningRate: learningRate)
  }
}

/// How often afterstates were learned from.
private final class VisitCounts {
  private var counts: [UInt64: Int] = [:]

  func add(_ planes: UInt64) { counts[planes, default: 0] += 1 }

  func removeAll() { counts = [:] }

  func boards(atLeast count: Int) -> [Board] {
    counts.filter { $0.value >= count }.map { Board(planes: $0.key) }
  }
}

/// The product's own network, update and worker, on a game whose values are known exactly.
@Suite struct SolvedGameTests {
  @Test(arguments: UpdatePath.allCases)
  func learnsTheValuesOfItsPolicyAndPlaysWell(path: UpdatePath) {
    switch path {
    case .blas: check(BLASUpdate.self)
    case .plain: check(PlainUpdate.self)
    }
  }

  private func check<Update: MinibatchUpdate>(_ update: Update.Type) {
    let rules = Rules(size: 2)
    // One pattern of all four cells can hold any value function of this board.
    let network = NTupleNetwork(TestNetworks.shape(["0145"], size: 2))
    // Greedy play tries what it has not tried only if that looks good: every afterstate begins at
    // more than the best game is worth.
    network.weights.fill(with: 150 / Float(network.featureCount))
    let batch = EpisodeBatch(transitions: 8, symmetries: network.symmetries)
    let counting = CountingUpdate<Update>(network: network, rowCapacity: batch.rowCapacity)
    var worker = SelfPlayWorker(
      network: network, rules: rules, learner: EpisodeLearner(update: counting, batch: batch),
      source: Xoshiro256(seed: 2))
    // The noise of a constant learning rate does not vanish, so it falls in steps.
    for (episodes, rate) in [(40_000, Float(0.1)), (60_000, 0.02), (150_000, 0.003)] {
      // Counted from the last step on, by when the policy has settled.
      counting.visits.removeAll()
      for _ in 0..<episodes { _ = worker.playEpisode(learningRate: rate) }
    }

    let policy: SolvedGame.Policy = { network.greedyMove(from: $0, rules: rules)?.direction }
    let achieved = SolvedGame(rules: rules, policy: policy)
    let optimum = SolvedGame(rules: rules).startValue
    #expect(achieved.startValue >= 0.98 * optimum)

    // Every value is an estimate from chance, so single ones may be off by a few points where a game
    // is worth 67; on the whole, they must be right.
    let visited = counting.visits.boards(atLeast: 1_000)
    #expect(visited.count > 50)
    var errors = 0.0
    for board in visited {
      let exact = achieved.value(ofAfterstate: board)
      let learned = Double(network.value(ofPlanes: board.planes))
      errors += abs(learned - exact)
      #expect(
        abs(learned - exact) <= 0.05 * optimum, "\(board.text): \(learned), exactly \(exact)")
    }
    #expect(errors / Double(visited.count) <= 0.01 * optimum)
  }
}
