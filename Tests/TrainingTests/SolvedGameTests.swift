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
    let batch = EpisodeBatch(transitions: 8)
    let counting = CountingUpdate<Update>(network: network, rowCapacity: batch.rowCapacity)
    var worker = SelfPlayWorker(
      network: network, rules: rules, learner: EpisodeLearner(update: counting, batch: batch),
      source: Xoshiro256(seed: 2))
    // The errors of a constant learning rate do not vanish, so it falls in steps.
    for (episodes, rate) in [(20_000, Float(0.05)), (20_000, 0.01), (60_000, 0.001)] {
      for _ in 0..<episodes {
        _ = worker.playEpisode(learningRate: rate)
      }
    }

    let policy: SolvedGame.Policy = { network.greedyMove(from: $0, rules: rules)?.direction }
    let achieved = SolvedGame(rules: rules, policy: policy)
    let optimum = SolvedGame(rules: rules).startValue
    #expect(achieved.startValue >= 0.98 * optimum)

    let visited = counting.visits.boards(atLeast: 1_000)
    #expect(visited.count > 50)
    for board in visited {
      let exact = achieved.value(ofAfterstate: board)
      let learned = Double(network.value(ofPlanes: board.planes))
      #expect(
        abs(learned - exact) <= 0.05 * exact + 0.5, "\(board.text): \(learned), exactly \(exact)")
    }
  }
}
