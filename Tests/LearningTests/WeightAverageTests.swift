import Game2048
import NTupleNetwork
import TestSupport
import Testing

@testable import Learning

@Suite struct WeightAverageTests {
  /// Returns the average of networks whose weights are all equal to each of `values` in turn.
  private func average(
    of values: [Float], share: Float = 1, window: Int = .max
  ) -> [Float] {
    let network = NTupleNetwork(TestNetworks.shape(["0123", "5"]))
    let average = WeightAverage(network.shape, share: share, window: window)
    for value in values {
      network.weights.fill(with: value)
      average.add(network)
    }
    #expect(average.count == values.count)
    return TestNetworks.weights(of: average.network)
  }

  @Test func aPlainMeanUpToTheWindow() {
    #expect(average(of: [4], window: 8).allSatisfy { $0 == 4 })
    #expect(average(of: [1, 2, 6, 7], window: 4).allSatisfy { abs($0 - 4) < 1e-6 })
  }

  @Test func exponentialFromThereOn() {
    // Of two: 2, then (2 + 4) / 2 = 3, then (3 + 7) / 2 = 5, then (5 + 0) / 2.
    #expect(average(of: [2, 4, 7, 0], window: 2).allSatisfy { abs($0 - 2.5) < 1e-6 })
  }

  @Test func aShareForgetsWhatIsOld() {
    // 2; of one and a half: 2 + (5 − 2) / 1.5 = 4 with 3 · 0.5; of two, with 4 · 0.5: (4 + 0) / 2.
    #expect(average(of: [9, 2, 5, 0], share: 0.5).allSatisfy { abs($0 - 2) < 1e-6 })
    #expect(average(of: [1, 2, 3, 4], share: 0.25).allSatisfy { $0 == 4 })
    // 4 by the share alone.
    #expect(average(of: [9, 2, 5], share: 0.5, window: 1).allSatisfy { $0 == 5 })
  }

  @Test func aSnapshotIsTheAverageUpToNow() {
    let network = NTupleNetwork(TestNetworks.shape(["0123", "5"]))
    let (plain, short) = (WeightAverage(network.shape), WeightAverage(network.shape, share: 0.1))
    let bounded = WeightAverage(network.shape, window: 2)
    // Before the first addition.
    #expect(plain.snapshot(with: network, after: 0.5) === network)
    for average in [plain, short, bounded] {
      for _ in 1...3 {
        network.weights.fill(with: 4)
        average.add(network)
      }
    }
    network.weights.fill(with: 18)
    /// Returns the weights of a snapshot, which must be the same, and those of the average.
    func snapshot(_ average: WeightAverage, after part: Float) -> Float {
      let weights = TestNetworks.weights(of: average.snapshot(with: network, after: part))
      #expect(Set(weights).count == 1)
      #expect(TestNetworks.weights(of: average.network).allSatisfy { $0 == 4 })
      return weights[0]
    }
    // Half an interval is a seventh of three and a half, and a quarter of a window of two.
    #expect(abs(snapshot(plain, after: 0.5) - 6) < 1e-5)
    #expect(abs(snapshot(bounded, after: 0.5) - 7.5) < 1e-5)
    #expect(plain.reachOfSnapshot(after: 0.5) == 3.5 && bounded.reachOfSnapshot(after: 0.5) == 2)
    #expect(snapshot(plain, after: 0) == 4 && plain.reachOfSnapshot(after: 0) == 3)
    // A tenth of the networks so far is less than the time since the last one.
    #expect(snapshot(short, after: 0.5) == 18 && short.reachOfSnapshot(after: 0.5) == nil)
    #expect(abs(snapshot(short, after: 0.1) - (4 + 14 * 0.1 / 0.31)) < 1e-4)
    #expect(short.reachOfSnapshot(after: 0) == nil)
  }

  @Test func everyWeightIsAveraged() {
    let networks = (1...3).map { TestNetworks.random(["01234", "56"], seed: $0) }
    let average = WeightAverage(networks[0].shape, window: 3)
    for network in networks { average.add(network) }
    let weights = networks.map { TestNetworks.weights(of: $0) }
    let found = TestNetworks.weights(of: average.network)
    let wrong = found.indices.filter { place in
      abs(found[place] - weights.reduce(0) { $0 + $1[place] } / 3) > 1e-4
    }
    #expect(wrong.isEmpty)
  }

  /// Products and sums are rounded one by one on every processor.
  @Test func meansAreRoundedAsInPlainSwift() {
    let networks = (1...4).map { TestNetworks.random(["0123", "45"], seed: $0) }
    let average = WeightAverage(networks[0].shape)
    var expected = [Float](repeating: 0, count: networks[0].weights.count)
    for (place, network) in networks.enumerated() {
      average.add(network)
      let rate = 1 / Float(place + 1)
      for (entry, weight) in TestNetworks.weights(of: network).enumerated() {
        let (new, old) = (rate * weight, (1 - rate) * expected[entry])
        expected[entry] = new + old
      }
    }
    #expect(TestNetworks.weights(of: average.network) == expected)
  }

  @Test func ofStagesItValuesBoardsAtTheMeanOfTheirValues() {
    let stages = StageRule(exponents: [7, 9])
    let shape = NetworkShape(
      patterns: TestNetworks.shape(["0123", "45"]).patterns, stages: stages)
    let network = NTupleNetwork(shape)
    let average = WeightAverage(shape)
    var source = Xoshiro256(seed: 5)
    let boards = SampleBoards.random(200, largestExponent: 10)
    var sums = [Double](repeating: 0, count: boards.count)
    for round in 1...4 {
      // Weights that a stage has not learned stay 0 in some rounds, and forever at other places.
      for offset in 0..<network.weights.count where Int.random(in: 0..<6, using: &source) == 0 {
        network.weights[offset] = Float.random(in: -100..<100, using: &source)
      }
      average.add(network)
      for (place, board) in boards.enumerated() { sums[place] += network.value(of: board) }
      let wrong = boards.indices.filter { place in
        abs(average.network.value(of: boards[place]) - sums[place] / Double(round)) > 1e-3
      }
      #expect(wrong.isEmpty, "after \(round) networks")
    }
    // Weights that no network has learned are still read from the stage before.
    let unlearned = (0..<network.weights.count).filter { network.weights[$0] == 0 }
    #expect(!unlearned.isEmpty && unlearned.allSatisfy { average.network.weights[$0] == 0 })
  }
}
