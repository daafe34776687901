import Game2048
import NTupleNetwork
import TestSupport
import Testing

@testable import Learning

/// Passes a recorded episode to a learner, as play does.
private func learn(
  _ network: NTupleNetwork, _ episode: [Visit], returns: ReturnEstimate, rule: any UpdateRule,
  batchSize: Int
) {
  var learner = BatchLearner(
    network: network, returns: returns, batchSize: batchSize)
  learner.rule = rule
  for visit in episode {
    learner.batch.append(
      planes: visit.board.planes, reward: Float(visit.reward),
      value: network.value(ofPlanes: visit.board.planes))
    if learner.batch.isFull { learner.update(isTerminal: false) }
  }
  learner.finishEpisode()
  #expect(learner.batch.rows == 0)
}

/// Returns up to `count` afterstates of a random game.
private func randomEpisode(size: Int, count: Int, seed: UInt64) -> [Visit] {
  let rules = Rules(size: size)
  var source = Xoshiro256(seed: seed)
  var board = rules.startBoard(using: &source)
  var episode: [Visit] = []
  while episode.count < count,
    let direction = rules.legalDirections(from: board).randomElement(using: &source),
    let move = rules.move(board, direction)
  {
    episode.append(Visit(board: move.afterstate, reward: Double(move.reward)))
    board = move.afterstate
    rules.spawn(on: &board, using: &source)
  }
  return episode
}

private func largestDifference(_ network: NTupleNetwork, _ weights: [Double]) -> Double {
  zip(TestNetworks.weights(of: network), weights).map { abs(Double($0) - $1) }.max() ?? 0
}

@Suite struct UpdateRuleTests {
  static let estimates: [ReturnEstimate] = [
    .oneStep, .nStep(1), .nStep(3), .lambda(0), .lambda(0.5), .lambda(0.9), .lambda(1),
    .delayedLambda(0.5, horizon: 3), .delayedLambda(0.25, horizon: 0),
  ]

  @Test func oneStepByHand() {
    // One pattern of one cell: every feature of a board with one 2 in cell 0 is the entry of "empty"
    // or of "2". Under the eight symmetries, cell 0 sees each corner twice: the corner with the 2
    // twice, empty corners six times.
    let network = NTupleNetwork(TestNetworks.shape(["0"]))
    network.weights[0] = 1
    network.weights[1] = 10
    var first = Board()
    first[0] = 1
    // V(first) = 2 · 10 + 6 · 1 = 26. The next afterstate has its tile in the middle: V = 8 · 1.
    var second = Board()
    second[5] = 2
    // δ = 4 + 8 − 26 = −14; α/m = 0.8/8, so each occurrence of a feature changes by −1.4. The last
    // afterstate's δ is −8, and its eight features move entry 0 by −0.8 each.
    learn(
      network, [Visit(board: first), Visit(board: second, reward: 4)], returns: .oneStep,
      rule: TemporalDifference(learningRate: 0.8), batchSize: 8)
    #expect(abs(network.weights[1] - (10 - 2 * 1.4)) < 1e-5)
    #expect(abs(network.weights[0] - (1 - 6 * 1.4 - 8 * 0.8)) < 1e-5)
  }

  @Test func returnsByHand() {
    // All weights are 0, so every δ is the next reward: 4, 8, 16, and 0 at the end. Each board has a
    // different tile in a corner, which two of the eight images read.
    let episode = zip(1...4, [0.0, 4, 8, 16]).map { exponent, reward in
      var board = Board()
      board[0] = exponent
      return Visit(board: board, reward: reward)
    }
    // With α = m, each feature of the first afterstate changes by its error.
    func firstError(_ returns: ReturnEstimate) -> Float {
      let network = NTupleNetwork(TestNetworks.shape(["0"]))
      learn(
        network, episode, returns: returns, rule: TemporalDifference(learningRate: 8),
        batchSize: 4)
      return network.weights[1] / 2
    }
    #expect(firstError(.oneStep) == 4)
    #expect(firstError(.nStep(2)) == 4 + 8)
    #expect(firstError(.nStep(9)) == 4 + 8 + 16)
    #expect(firstError(.lambda(0.5)) == 4 + 8 / 2 + 16 / 4)
    #expect(firstError(.lambda(1)) == 4 + 8 + 16)
    #expect(firstError(.delayedLambda(0.5, horizon: 1)) == 4 + 8 / 2)
  }

  /// Returns a network of one cell with the value 16 for the empty board, and the sums of the entry it reads.
  private func oneCell(
    errors: Float, absoluteErrors: Float
  ) -> (network: NTupleNetwork, sums: Accumulators) {
    let network = NTupleNetwork(TestNetworks.shape(["0"]))
    let sums = Accumulators(network.shape, for: [.tc])
    network.weights[0] = 2
    sums[TemporalCoherence.errorName][0] = errors
    sums[TemporalCoherence.magnitudeName][0] = absoluteErrors
    return (network, sums)
  }

  @Test func aCoherenceIsRaisedAtMostToOne() {
    let (network, sums) = oneCell(errors: -64, absoluteErrors: 320)
    // V = 16, δ = −16, and a step is −2 times 3 · |E| / A, which reaches 1 with the fifth occurrence:
    // 3 · 128 / 384.
    learn(
      network, [Visit(board: Board())], returns: .oneStep,
      rule: coherentRule(sums, 3), batchSize: 4)
    let shares: [Double] = [192.0 / 320, 240.0 / 336, 288.0 / 352, 336.0 / 368, 1, 1, 1, 1]
    let expected = 2 - 2 * shares.reduce(0, +)
    #expect(abs(Double(network.weights[0]) - expected) < 1e-5)
  }

  @Test func coherenceByHand() {
    let (network, sums) = oneCell(errors: 0, absoluteErrors: 0)
    func learnEnd() {
      learn(
        network, [Visit(board: Board())], returns: .oneStep,
        rule: coherentRule(sums, 0.5), batchSize: 4)
    }
    // The empty board: all eight features are entry 0, V = 16, δ = −16, and each of the eight steps is
    // −16 · 0.5 / 8 = −1 at coherence 1, since nothing has been seen, or nothing but −16.
    learnEnd()
    #expect(network.weights[0] == -6)
    #expect(sums[TemporalCoherence.errorName][0] == -128)
    #expect(sums[TemporalCoherence.magnitudeName][0] == 128)
    // Now V = −48, δ = 48, and a step is 3 times |E| / A, which changes with every occurrence.
    learnEnd()
    let coherences: [Double] = [
      128 / 128, 80 / 176, 32 / 224, 16 / 272, 64 / 320, 112 / 368, 160 / 416, 208 / 464,
    ]
    let expected = -6 + 3 * coherences.reduce(0, +)
    #expect(abs(Double(network.weights[0]) - expected) < 1e-5)
    #expect(sums[TemporalCoherence.errorName][0] == 256)
    #expect(sums[TemporalCoherence.magnitudeName][0] == 512)
  }

  /// Both rules, and coherence with a rate above 1, which the errors of a weight may not pass.
  typealias Rule = (coherent: Bool, learningRate: Double)
  static let rules: [Rule] = [(false, 0.25), (true, 0.25), (true, 10)]

  @Test(arguments: rules)
  func aWholeEpisodeFollowsTheDefinition(rule: Rule) {
    for (number, returns) in UpdateRuleTests.estimates.enumerated() {
      for size in 2...4 {
        let seed = UInt64(10 * number + size)
        let network = TestNetworks.random(["01", "0145"], size: size, seed: seed)
        let episode = randomEpisode(size: size, count: 60, seed: seed)
        let difference = differenceFromDefinition(network, episode, returns, rule)
        #expect(difference < 0.02, "\(returns), \(size)x\(size)")
      }
    }
  }

  @Test(arguments: rules)
  func largeTilesAreLearnedAsTheyAreRead(rule: Rule) {
    for (number, returns) in UpdateRuleTests.estimates.enumerated() {
      for size in 3...4 {
        let seed = UInt64(10 * number + size)
        let network = downgradingNetwork(["01", "0145"], size: size, seed: seed)
        let episode = withLargeTiles(randomEpisode(size: size, count: 60, seed: seed))
        #expect(
          episode.contains {
            naivelyDowngraded($0.board, by: network.shape.downgrading.exponent) != $0.board
          })
        let difference = differenceFromDefinition(network, episode, returns, rule)
        // Whole returns of large tiles are near 2^20, where single precision has steps of 1/16.
        #expect(difference < 0.1, "\(returns), \(size)x\(size)")
      }
    }
  }

  @Test(arguments: rules)
  func stagesAreLearnedAsTheyAreRead(rule: Rule) {
    for (number, returns) in [ReturnEstimate.oneStep, .lambda(0.5)].enumerated() {
      let seed = UInt64(number)
      for network in stagedNetworks(["01", "014"], size: 3, seed: seed) {
        let episode = withLargeTiles(randomEpisode(size: 3, count: 60, seed: seed))
        let stages = Set(episode.map { network.shape.stages.stage(ofPlanes: $0.board.planes) })
        #expect(stages.count == 3)
        let difference = differenceFromDefinition(network, episode, returns, rule)
        #expect(difference < 0.02, "\(returns)")
      }
    }
  }

  /// A stage that begins takes the weights of the one before, but not their coherence.
  @Test func aStageBeginsWithNewCoherence() throws {
    let shape = NetworkShape(patterns: [try Pattern("0")], stages: StageRule(exponents: [14]))
    let network = NTupleNetwork(shape)
    let sums = Accumulators(shape, for: [.tc])
    let later = shape.tables[1].offset
    (network.weights[0], network.weights[14]) = (2, 3)
    // The weights of the first stage hardly move any more.
    for entry in [0, 14] {
      sums[TemporalCoherence.errorName][entry] = 1
      sums[TemporalCoherence.magnitudeName][entry] = 1_000_000
    }
    var board = Board()
    board[0] = 14
    // V = 2 · 3 + 6 · 2 = 18, δ = −18, and each of the features moves by −18 / 8 at coherence 1.
    learn(
      network, [Visit(board: board)], returns: .oneStep, rule: coherentRule(sums, 1), batchSize: 4)
    #expect(network.weights[later + 14] == 3 - 2 * 2.25)
    #expect(network.weights[later] == 2 - 6 * 2.25)
    #expect(network.weights[0] == 2 && network.weights[14] == 3 && network.weights[13] == 0)
    #expect(sums[TemporalCoherence.errorName][later + 14] == -36)
    #expect(sums[TemporalCoherence.magnitudeName][later + 14] == 36)
    #expect(sums[TemporalCoherence.errorName][14] == 1)
  }

  /// Returns the deviation of weights from those of the definition, after an episode in one batch.
  private func differenceFromDefinition(
    _ network: NTupleNetwork, _ episode: [Visit], _ returns: ReturnEstimate, _ rule: Rule
  ) -> Double {
    let (coherent, learningRate) = rule
    var reference = ReferenceLearner(network, coherent: coherent)
    let sums = Accumulators(network.shape, for: [.tc])
    let updates = updateRule(sums, coherent: coherent, Float(learningRate))
    // Twice, so that the accumulators have an effect.
    for _ in 0..<2 {
      let differences = reference.temporalDifferences(episode)
      let errors = differences.indices.map { first in
        var (sum, weight) = (0.0, 1.0)
        for later in differences[first...].prefix((returns.horizon ?? .max - 1) + 1) {
          sum += weight * later
          weight *= Double(returns.traceDecay)
        }
        return sum
      }
      reference.apply(errors, to: episode.map(\.board), learningRate: learningRate)
      learn(
        network, episode, returns: returns, rule: updates,
        batchSize: episode.count)
    }
    return largestDifference(network, reference.weights)
  }

  /// The queue of Jaśkowski 2017: an error is computed when its successor is seen, and the oldest
  /// afterstate is updated when `horizon` later errors are known.
  @Test(arguments: [0, 1, 3, 7])
  func batchesOfOneAreTheDelayedQueue(horizon: Int) {
    let episode = randomEpisode(size: 4, count: 80, seed: 5)
    let network = TestNetworks.random(["012", "0145"])
    var reference = ReferenceLearner(network, coherent: false)
    var queue: [(board: Board, error: Double)] = []
    func sum(_ errors: some Sequence<Double>) -> Double {
      var (sum, weight) = (0.0, 1.0)
      for error in errors {
        sum += weight * error
        weight /= 2
      }
      return sum
    }
    for (previous, next) in zip(episode, episode.dropFirst()) {
      let error = next.reward + reference.value(next.board) - reference.value(previous.board)
      queue.append((previous.board, error))
      if queue.count == horizon + 1 {
        reference.apply(
          [sum(queue.map(\.error))], to: [queue.removeFirst().board], learningRate: 0.1)
      }
    }
    queue.append((episode.last!.board, -reference.value(episode.last!.board)))
    let errors = queue.indices.map { sum(queue[$0...].prefix(horizon + 1).map(\.error)) }
    reference.apply(errors, to: queue.map(\.board), learningRate: 0.1)

    learn(
      network, episode, returns: .delayedLambda(0.5, horizon: horizon),
      rule: TemporalDifference(learningRate: 0.1), batchSize: 1)
    #expect(largestDifference(network, reference.weights) < 0.02)
  }

  @Test(arguments: [1, 7, 20, 64])
  func everyRowIsLearnedFromOnce(batchSize: Int) {
    // With weights 0 and a reward of 1 for every move, the n-step return of every row is known for all
    // batch sizes.
    var episode = randomEpisode(size: 4, count: 50, seed: 8)
    for place in episode.indices { episode[place].reward = 1 }
    let network = NTupleNetwork(TestNetworks.shape(["0123", "4567"]))
    // The rate is so small that values stay close to 0 during learning.
    learn(
      network, episode, returns: .nStep(5), rule: TemporalDifference(learningRate: 1e-6),
      batchSize: batchSize)
    let moved = TestNetworks.weights(of: network).reduce(0) { $0 + Double($1) }
    // Rows with five later rewards change by 5, the last ones by 4, 3, 2, 1 and 0.
    let expected = Double(5 * (episode.count - 5) + 4 + 3 + 2 + 1) * 1e-6
    #expect(abs(moved / expected - 1) < 1e-3)
  }

  @Test func smallBatchesOfALambdaReturnLearnAlmostTheSame() {
    let episode = randomEpisode(size: 4, count: 200, seed: 9)
    let weights = [10, 200].map { batchSize in
      let network = NTupleNetwork(TestNetworks.shape(["0123", "0145"]))
      learn(
        network, episode, returns: .lambda(0.5), rule: TemporalDifference(learningRate: 1e-4),
        batchSize: batchSize)
      return TestNetworks.weights(of: network)
    }
    let largest = weights[1].map(abs).max()!
    let difference = zip(weights[0], weights[1]).map { abs($0 - $1) }.max()!
    #expect(largest > 0 && difference < largest / 64)
  }
}
