import DenseKernels
import Game2048
import NTupleNetwork
import RandomSources
import TestSupport
import Testing

@testable import TDLearning

private let patterns = ["012", "0145"]

/// A row of a batch, as a test writes it.
private struct Row {
  var board: Board
  var reward: Float = 0
}

/// Applies one update, as play would have filled the batch.
private func apply<Update: MinibatchUpdate>(
  _ update: Update.Type, to network: NTupleNetwork, _ rows: [Row], isTerminal: Bool,
  learningRate: Float
) {
  var batch = EpisodeBatch(
    transitions: max(1, rows.count - 1), symmetries: network.symmetries)
  for row in rows {
    batch.append(
      planes: row.board.planes, reward: row.reward,
      value: network.value(ofPlanes: row.board.planes))
  }
  Update(network: network, rowCapacity: batch.rowCapacity)
    .apply(batch, isTerminal: isTerminal, learningRate: learningRate)
}

private func apply(
  path: Path, to network: NTupleNetwork, _ rows: [Row], isTerminal: Bool, learningRate: Float
) {
  switch path {
  case .blas:
    apply(
      BLASUpdate.self, to: network, rows, isTerminal: isTerminal, learningRate: learningRate)
  case .plain:
    apply(
      PlainUpdate.self, to: network, rows, isTerminal: isTerminal, learningRate: learningRate)
  }
}

enum Path: CaseIterable {
  case blas, plain
}

/// The update of a batch as its definition reads, one feature at a time, through the public
/// subscript of the weights.
private func referenceUpdate(
  _ network: NTupleNetwork, _ rows: [Row], isTerminal: Bool, learningRate: Double
) -> [Double] {
  var weights = TestNetworks.weights(of: network).map(Double.init)
  let before = weights
  func features(_ board: Board) -> [Int] {
    var offsets: [Int] = []
    for (pattern, table) in zip(network.shape.patterns, network.shape.tableOffsets) {
      let layout = IndexLayout(pattern)
      for image in 0..<Symmetries.count {
        let seen = Rules(size: network.shape.boardSize).symmetries.image(image, of: board)
        offsets.append(table + layout.memoryIndex(of: pattern.cells.map { seen[$0] }))
      }
    }
    return offsets
  }
  func value(_ board: Board) -> Double { features(board).reduce(0) { $0 + before[$1] } }
  for (i, row) in rows.enumerated() {
    if i + 1 == rows.count && !isTerminal { break }
    let target = i + 1 < rows.count ? Double(rows[i + 1].reward) + value(rows[i + 1].board) : 0
    let step =
      learningRate / Double(network.featureCount) * (target - value(row.board))
    for offset in features(row.board) { weights[offset] += step }
  }
  return weights
}

@Suite struct MinibatchUpdateTests {
  /// Largest difference between a network's weights and a reference's.
  private func largestDifference(_ network: NTupleNetwork, _ reference: [Double]) -> Double {
    zip(TestNetworks.weights(of: network), reference).map { abs(Double($0) - $1) }.max() ?? 0
  }

  @Test(arguments: Path.allCases)
  func oneStepByHand(path: Path) throws {
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
    // δ = 4 + 8 − 26 = −14; α/m = 0.8/8, so each occurrence of a feature moves by −1.4.
    apply(
      path: path, to: network, [Row(board: first), Row(board: second, reward: 4)],
      isTerminal: false, learningRate: 0.8)
    #expect(abs(network.weights[1] - (10 - 2 * 1.4)) < 1e-5)
    #expect(abs(network.weights[0] - (1 - 6 * 1.4)) < 1e-5)
  }

  @Test(arguments: Path.allCases)
  func lastAfterstateMovesTowardsNothing(path: Path) {
    let network = NTupleNetwork(TestNetworks.shape(["0"]))
    network.weights[0] = 2
    // The empty board: all eight features are entry 0, V = 16, δ = −16, each step −16 · 0.1 / 8.
    apply(path: path, to: network, [Row(board: Board())], isTerminal: true, learningRate: 0.1)
    #expect(abs(network.weights[0] - (2 - 8 * 0.2)) < 1e-5)
  }

  @Test(arguments: Path.allCases)
  func aSymmetricBoardAccumulates(path: Path) {
    let network = TestNetworks.random(patterns)
    var symmetric = Board()
    for cell in [5, 6, 9, 10] { symmetric[cell] = 3 }
    var next = symmetric
    next[0] = 1
    let rows = [Row(board: symmetric), Row(board: next, reward: 16)]
    let expected = referenceUpdate(network, rows, isTerminal: true, learningRate: 0.5)
    apply(path: path, to: network, rows, isTerminal: true, learningRate: 0.5)
    #expect(largestDifference(network, expected) < 1e-3)
  }

  @Test(arguments: Path.allCases)
  func oneStateTwiceInABatchAccumulates(path: Path) {
    let network = TestNetworks.random(patterns)
    var board = Board()
    board[0] = 4
    board[1] = 2
    let rows = [
      Row(board: board), Row(board: board, reward: 8), Row(board: board, reward: 32),
    ]
    let expected = referenceUpdate(network, rows, isTerminal: false, learningRate: 0.25)
    apply(path: path, to: network, rows, isTerminal: false, learningRate: 0.25)
    #expect(largestDifference(network, expected) < 1e-3)
  }

  @Test(arguments: [2, 3, 4], [true, false])
  func bothPathsFollowTheDefinition(size: Int, isTerminal: Bool) {
    let rules = Rules(size: size)
    var source = Xoshiro256(seed: 7)
    for round in 0..<20 {
      // Consecutive afterstates of a random game, as play makes them.
      var rows: [Row] = []
      var board = rules.startBoard(using: &source)
      for _ in 0...round {
        guard let direction = rules.legalDirections(from: board).randomElement(using: &source),
          let move = rules.move(board, direction)
        else { break }
        rows.append(Row(board: move.afterstate, reward: Float(move.reward)))
        board = move.afterstate
        rules.spawn(on: &board, using: &source)
      }
      let cells = ["01", "0145"]
      let networks = Path.allCases.map { path in
        (path, TestNetworks.random(cells, size: size, seed: UInt64(round)))
      }
      let expected = referenceUpdate(
        networks[0].1, rows, isTerminal: isTerminal, learningRate: 0.3)
      for (path, network) in networks {
        apply(path: path, to: network, rows, isTerminal: isTerminal, learningRate: 0.3)
        #expect(largestDifference(network, expected) < 2e-3, "\(path), round \(round)")
      }
    }
  }

  @Test func nothingHappensWithoutATransition() {
    for path in Path.allCases {
      let network = TestNetworks.random(patterns)
      let before = TestNetworks.weights(of: network)
      apply(path: path, to: network, [Row(board: Board())], isTerminal: false, learningRate: 1)
      #expect(TestNetworks.weights(of: network) == before)
    }
  }
}

@Suite struct EpisodeLearnerTests {
  /// Plays one greedy episode into a learner and returns the network.
  private func learned<Update: MinibatchUpdate>(
    _ update: Update.Type, batchSize: Int
  ) -> NTupleNetwork {
    let network = NTupleNetwork(TestNetworks.shape(["0123", "0145"]))
    var learner = EpisodeLearner<Update>(network: network, batchSize: batchSize)
    var source = Xoshiro256(seed: 3)
    for _ in 0..<20 {
      var board = Rules.standard.startBoard(using: &source)
      while let move = network.greedyMove(from: board, rules: .standard) {
        learner.observe(move, learningRate: 0.1)
        board = move.afterstate
        Rules.standard.spawn(on: &board, using: &source)
      }
      learner.finishEpisode(learningRate: 0.1)
    }
    return network
  }

  @Test func batchesOfOneAreOnlineTDZero() {
    // Batches of one update after every move; the reference does so without any batch.
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
    for learned in [
      self.learned(BLASUpdate.self, batchSize: 1), self.learned(PlainUpdate.self, batchSize: 1),
    ] {
      let difference =
        zip(
          TestNetworks.weights(of: learned), TestNetworks.weights(of: network)
        ).map { abs($0 - $1) }.max() ?? 0
      // A value that rounds differently may turn a move; within 20 short games none does.
      #expect(difference < 1e-2)
    }
  }

  @Test(arguments: [1, 7, 64])
  func learningChangesWeightsAndLeavesNothingPending(batchSize: Int) {
    let network = learned(PlainUpdate.self, batchSize: batchSize)
    #expect(TestNetworks.weights(of: network).contains { $0 > 1 })
  }
}
