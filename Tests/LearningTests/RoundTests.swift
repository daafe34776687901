import Game2048
import NTupleNetwork
import TestSupport
import Testing

@testable import Learning

/// A lane without a game, which processes the moves of recorded episodes.
private final class ReplayingLane {
  var learner: RoundLearner
  private let scratch: DeltaScratch

  init(
    _ network: NTupleNetwork, returns: ReturnEstimate = .oneStep,
    batchSize: Int
  ) {
    learner = RoundLearner(
      network: network, returns: returns, batchSize: batchSize)
    scratch = DeltaScratch(lanes: 1, batchSize: batchSize, returns: returns)
  }

  /// Processes `visits` as the moves of a round.
  func play(_ visits: some Sequence<Visit>, on network: NTupleNetwork) {
    play(visits.map(Optional.some), on: network)
  }

  /// Processes `visits` as the moves of a round; nil is the end of an episode.
  func play(_ visits: some Sequence<Visit?>, on network: NTupleNetwork) {
    for visit in visits {
      if let visit {
        let planes = visit.board.planes
        learner.batch.append(
          planes: planes, reward: Float(visit.reward), value: network.value(ofPlanes: planes))
      } else {
        learner.finishEpisode()
      }
    }
    learner.finishRound(using: scratch)
  }
}

/// Applies the blocks of some lanes to all patterns.
private func apply(
  _ lanes: [[PatternDelta]], to network: NTupleNetwork,
  rule: any UpdateRule
) {
  let total = lanes.map { $0.map(\.count).reduce(0, +) }.reduce(0, +)
  let combiner = DeltaCombiner(
    network: network, scratch: DeltaScratch(capacity: total))
  for pattern in 0..<network.shape.patterns.count {
    combiner.apply(pattern: pattern, lanes: lanes.count, rule: rule) { lanes[$0][pattern] }
  }
}

@Suite struct RoundTests {
  /// Returns a board with one tile in a corner, which two of the eight images have in cell 0.
  private func corner(_ exponent: Int) -> Board {
    var board = Board()
    board[0] = exponent
    return board
  }

  @Test func aRoundOfTwoLanesByHand() throws {
    let network = NTupleNetwork(TestNetworks.shape(["0"]))
    network.weights[0] = 1
    network.weights[1] = 10
    network.weights[2] = -5
    // V(corner(1)) = 2 · 10 + 6 · 1 = 26, V(corner(2)) = 2 · (−5) + 6 = −4.
    let first = ReplayingLane(network, batchSize: 2)
    let second = ReplayingLane(network, batchSize: 2)
    // δ = 4 − 4 − 26 = −26; the second afterstate waits for its successor.
    first.play([Visit(board: corner(1)), Visit(board: corner(2), reward: 4)], on: network)
    // At the end of an episode δ = −26. The first afterstate of the next one waits.
    second.play([Visit(board: corner(1)), nil, Visit(board: corner(1))], on: network)
    for lane in [first, second] {
      #expect(lane.learner.deltas[0].keys == [0, 1])
      #expect(lane.learner.deltas[0].errors == [6 * -26, 2 * -26])
      #expect(lane.learner.deltas[0].magnitudes == [6 * 26, 2 * 26])
      #expect(lane.learner.waiting.planes.count == 1)
    }
    // α / m = 0.8 / 8, and coherence 1, as no error is known yet: w += 0.1 · ΔE.
    let sums = Accumulators(network.shape, for: [.tc])
    let updateRule = coherentRule(sums, 0.8)
    apply(
      [first.learner.deltas, second.learner.deltas], to: network, rule: updateRule
    )
    #expect(abs(network.weights[0] - (1 - 0.1 * 12 * 26)) < 1e-4)
    #expect(abs(network.weights[1] - (10 - 0.1 * 4 * 26)) < 1e-4)
    #expect(network.weights[2] == -5)
    #expect(
      sums[TemporalCoherence.errorName][0] == -12 * 26
        && sums[TemporalCoherence.magnitudeName][0] == 12 * 26)

    // E = −104 and A = 104 of entry 1 become E = 96 of A = 304, at the coherence before: 1.
    sums[TemporalCoherence.errorName][1] = -52
    sums[TemporalCoherence.magnitudeName][1] = 104
    let weight = network.weights[1]
    let up = try PatternDelta(
      pattern: 0, of: network.shape, keys: [1], errors: [200], magnitudes: [200])
    apply([[up]], to: network, rule: updateRule)
    #expect(abs(network.weights[1] - (weight + 0.5 * 0.1 * 200)) < 1e-4)
    #expect(
      sums[TemporalCoherence.errorName][1] == 148 && sums[TemporalCoherence.magnitudeName][1] == 304
    )
  }

  static let estimates: [ReturnEstimate] = [
    .oneStep, .nStep(3), .lambda(0.5), .delayedLambda(0.5, horizon: 3),
  ]

  /// A round by its definition, with a dictionary of the changed entries.
  private struct Reference {
    var values: ReferenceLearner
    var touched: [Int: (error: Double, magnitude: Double)] = [:]

    mutating func add(_ error: Double, of board: Board) {
      for feature in values.features(board) {
        touched[feature, default: (0, 0)].error += error
        touched[feature]!.magnitude += abs(error)
      }
    }

    mutating func finishRound(learningRate: Double) {
      // A stage starts from what the stage before has learned in the same round.
      for (feature, sums) in touched.sorted(by: { $0.key < $1.key }) {
        let share = values.share(feature, learningRate: learningRate)
        values.weights[feature] =
          values.weight(at: feature) + share / Double(values.network.featureCount) * sums.error
        values.remember(sums.error, magnitude: sums.magnitude, of: feature)
      }
      touched = [:]
    }
  }

  /// A lane of the reference: the known TD errors of waiting rows, and the last row.
  private struct ReferenceLane {
    var rows: [Visit] = []
    var errors: [Double] = []

    mutating func learn(
      _ visits: ArraySlice<Visit?>, returns: ReturnEstimate, into reference: inout Reference
    ) {
      func flush(_ ready: Int) {
        for row in 0..<ready {
          var (sum, weight) = (0.0, 1.0)
          for error in errors[row...].prefix((returns.horizon ?? .max - 1) + 1) {
            sum += weight * error
            weight *= Double(returns.traceDecay)
          }
          reference.add(sum, of: rows[row].board)
        }
        rows.removeFirst(ready)
        errors.removeFirst(ready)
      }
      for visit in visits {
        if let last = rows.last {
          let target = visit.map { $0.reward + reference.values.value($0.board) } ?? 0
          errors.append(target - reference.values.value(last.board))
        }
        if let visit { rows.append(visit) } else { flush(rows.count) }
      }
      flush(max(0, errors.count - returns.lookahead))
    }
  }

  @Test(arguments: UpdateRuleTests.rules)
  func roundsFollowTheDefinition(rule: UpdateRuleTests.Rule) {
    for returns in RoundTests.estimates {
      for size in 3...4 {
        let network = TestNetworks.random(["01", "0145"], size: size, seed: 4)
        let difference = differenceFromDefinition(
          network, streams(size: size), returns, rule)
        #expect(difference < 0.02, "\(returns), \(size)x\(size)")
      }
    }
  }

  @Test(arguments: UpdateRuleTests.rules)
  func roundsReadLargeTilesDowngraded(rule: UpdateRuleTests.Rule) {
    for returns in RoundTests.estimates {
      for size in 3...4 {
        let network = downgradingNetwork(["01", "0145"], size: size, seed: 4)
        let difference = differenceFromDefinition(
          network, streams(size: size, withLargeTiles), returns, rule)
        #expect(difference < 0.02, "\(returns), \(size)x\(size)")
      }
    }
  }

  @Test(arguments: UpdateRuleTests.rules)
  func roundsLearnStagesAsTheyAreRead(rule: UpdateRuleTests.Rule) {
    for returns in [ReturnEstimate.oneStep, .lambda(0.5)] {
      for network in stagedNetworks(["01", "014"], size: 3, seed: 4) {
        let difference = differenceFromDefinition(
          network, streams(size: 3, withLargeTiles), returns, rule)
        #expect(difference < 0.02, "\(returns)")
      }
    }
  }

  /// Returns three streams of consecutive episodes with a few dozen moves each, one per lane.
  private func streams(size: Int, _ change: ([Visit]) -> [Visit] = { $0 }) -> [[Visit?]] {
    (0..<3).map { lane in
      (0..<4).flatMap { episode -> [Visit?] in
        let visits = change(randomEpisode(size: size, seed: UInt64(10 * lane + episode)))
        return visits + [nil]
      }
    }
  }

  /// Returns the deviation of weights from those of the definition, after four rounds with one lane per stream.
  private func differenceFromDefinition(
    _ network: NTupleNetwork, _ streams: [[Visit?]], _ returns: ReturnEstimate,
    _ rule: UpdateRuleTests.Rule
  ) -> Double {
    let coherent = rule.coherent
    // Updates of complete rounds add up.
    let learningRate = rule.learningRate / 8
    let batchSize = 25
    let sums = Accumulators(network.shape, for: [.tc])
    let updates = updateRule(sums, coherent: coherent, Float(learningRate))
    var reference = Reference(
      values: ReferenceLearner(network, coherent: coherent))
    var referenceLanes = streams.map { _ in ReferenceLane() }
    let lanes = streams.map { _ in
      ReplayingLane(network, returns: returns, batchSize: batchSize)
    }
    for round in 0..<4 {
      let shares = streams.map {
        $0[min($0.count, round * batchSize)..<min($0.count, (round + 1) * batchSize)]
      }
      for lane in lanes.indices {
        lanes[lane].play(shares[lane], on: network)
        referenceLanes[lane].learn(shares[lane], returns: returns, into: &reference)
      }
      apply(
        lanes.map { $0.learner.deltas }, to: network, rule: updates)
      reference.finishRound(learningRate: learningRate)
    }
    #expect(lanes.contains { !$0.learner.waiting.planes.isEmpty })
    return zip(TestNetworks.weights(of: network), reference.values.weights)
      .map { abs(Double($0) - $1) }.max()!
  }

  /// Blocks may come from another process or from a file, so they can be invalid.
  @Test func blocksFromOutsideAreValidated() throws {
    let shape = NetworkShape(
      patterns: TestNetworks.shape(["01", "0"]).patterns,
      stages: StageRule(exponents: [9]))
    func block(
      _ pattern: Int, _ keys: [UInt32], _ errors: [Float], _ magnitudes: [Float]
    ) -> Result<PatternDelta, PatternDeltaError> {
      Result { () throws(PatternDeltaError) in
        try PatternDelta(
          pattern: pattern, of: shape, keys: keys, errors: errors, magnitudes: magnitudes)
      }
    }
    // Two stages of 16 entries.
    let largest = try block(1, [0, 31], [1, -1], [1, 2]).get()
    #expect(largest.count == 2)
    #expect(try block(0, [511], [0], [0]).get().keys == [511])
    #expect(block(1, [0, 32], [1, 1], [1, 1]) == .failure(.noSuchEntry(row: 1, key: 32)))
    #expect(block(0, [.max], [1], [1]) == .failure(.noSuchEntry(row: 0, key: .max)))
    #expect(block(2, [], [], []) == .failure(.noSuchPattern(2)))
    #expect(block(-1, [], [], []) == .failure(.noSuchPattern(-1)))
    #expect(block(0, [1, 1], [1, 1], [1, 1]) == .failure(.keyNotAscending(row: 1)))
    #expect(block(0, [2, 1], [1, 1], [1, 1]) == .failure(.keyNotAscending(row: 1)))
    #expect(block(0, [1], [], [1]) == .failure(.unequalCounts))
    #expect(block(0, [1], [1], []) == .failure(.unequalCounts))
  }

  @Test func blocksAreCompact() {
    let network = TestNetworks.random(["0123", "01459", "0"])
    let lane = ReplayingLane(network, batchSize: 300)
    let visits = randomEpisode(size: 4, seed: 2)
    lane.play(visits, on: network)
    let features = ReferenceLearner(network, coherent: false)
    for (pattern, delta) in lane.learner.deltas.enumerated() {
      let offset = network.shape.tableOffsets[pattern]
      let touched = Set(
        visits.dropLast().flatMap { features.features($0.board)[(8 * pattern)..<(8 * pattern + 8)] }
      )
      #expect(delta.keys.map { Int($0) + offset } == touched.sorted())
      #expect(delta.errors.count == delta.count && delta.magnitudes.count == delta.count)
    }
    // A round without moves changes nothing.
    lane.play([Visit](), on: network)
    #expect(lane.learner.deltas.allSatisfy { $0.count == 0 })
  }

  /// OpenBLAS adds the blocks of the lanes as plain loops do, to the last bit.
  @Test func lanesAreCombinedAsByPlainLoops() {
    let network = TestNetworks.random(["0123", "0145"])
    let sums = Accumulators(network.shape, for: [.tc])
    let (errors, magnitudes) = (
      sums[TemporalCoherence.errorName], sums[TemporalCoherence.magnitudeName]
    )
    let lanes = (0..<3).map { seed in
      let lane = ReplayingLane(network, batchSize: 300)
      lane.play(randomEpisode(size: 4, seed: UInt64(seed)), on: network)
      return lane.learner.deltas
    }
    var weights = TestNetworks.weights(of: network)
    var (expectedErrors, expectedMagnitudes) = (
      weights.map { _ in Float(0) }, weights.map { _ in Float(0) }
    )
    for _ in 0..<2 {
      apply(lanes, to: network, rule: coherentRule(sums, 0.3))
      for (pattern, offset) in network.shape.tableOffsets.enumerated() {
        var changes: [Int: (error: Float, magnitude: Float)] = [:]
        for delta in lanes.map({ $0[pattern] }) {
          for row in 0..<delta.count {
            let entry = offset + Int(delta.keys[row])
            changes[entry, default: (0, 0)].error += delta.errors[row]
            changes[entry]!.magnitude += delta.magnitudes[row]
          }
        }
        for (entry, change) in changes {
          let ratio = expectedErrors[entry].magnitude / expectedMagnitudes[entry]
          let share = ratio < 1 ? ratio : 1
          weights[entry] += share * (0.3 / Float(network.featureCount) * change.error)
          expectedErrors[entry] += change.error
          expectedMagnitudes[entry] += change.magnitude
        }
      }
    }
    func bits(_ values: [Float]) -> [UInt32] { values.map(\.bitPattern) }
    #expect(bits(TestNetworks.weights(of: network)) == bits(weights))
    #expect((0..<errors.count).allSatisfy { errors[$0] == expectedErrors[$0] })
    #expect((0..<magnitudes.count).allSatisfy { magnitudes[$0] == expectedMagnitudes[$0] })
  }

  @Test func waitingRowsGoOnExactly() {
    let network = TestNetworks.random(["0123", "0145"])
    let visits = randomEpisode(size: 4, seed: 3)
    let whole = ReplayingLane(network, returns: .lambda(0.7), batchSize: 40)
    whole.play(visits[..<40], on: network)
    let resumed = ReplayingLane(network, returns: .lambda(0.7), batchSize: 40)
    resumed.learner.waiting = whole.learner.waiting
    for entry in 0..<network.weights.count { network.weights[entry] += 1 }
    whole.play(visits[40..<80], on: network)
    resumed.play(visits[40..<80], on: network)
    #expect(resumed.learner.deltas == whole.learner.deltas)
    #expect(resumed.learner.waiting == whole.learner.waiting)
  }

  @Test(arguments: [0, 8, 16, 20, 28, 32])
  func wordsAreSortedStably(keyBits: Int) {
    var source = Xoshiro256(seed: 6)
    for count in [0, 1, 2, 300] {
      let sorter = WordSorter(capacity: 300)
      // There are few keys, so that many are equal; the lower halves show the order.
      let keys = (0..<20).map { _ in source.next() & ((1 << UInt64(keyBits)) - 1) }
      let words = (0..<count).map { keys.randomElement(using: &source)! << 32 | UInt64($0) }
      for (place, word) in words.enumerated() { unsafe sorter.words[place] = word }
      sorter.sort(count: count, keyBits: keyBits)
      // The order is total: by key, then by place.
      #expect((0..<count).map { unsafe sorter.words[$0] } == words.sorted())
    }
  }
}

/// Returns the afterstates of a random game.
private func randomEpisode(size: Int, seed: UInt64) -> [Visit] {
  let rules = Rules(size: size)
  var source = Xoshiro256(seed: seed)
  var board = rules.startBoard(using: &source)
  var episode: [Visit] = []
  while let direction = rules.legalDirections(from: board).randomElement(using: &source),
    let move = rules.move(board, direction)
  {
    episode.append(Visit(board: move.afterstate, reward: Double(move.reward)))
    board = move.afterstate
    rules.spawn(on: &board, using: &source)
  }
  return episode
}
