import Game2048
import TestSupport
import Testing

@testable import NTupleNetwork

@Suite struct StageTests {
  private let game = ReferenceGame()
  private static let rules = [
    StageRule(exponents: [5, 9]), StageRule(exponents: [4, 8, 9]),
  ]

  private func stage(_ rule: StageRule, _ board: String) -> Int {
    rule.stage(ofPlanes: game.board(board).saturatedPlanes)
  }

  @Test func stagesByTheLargestTile() {
    let rule = StageRule(exponents: [13, 14])
    #expect(rule.count == 3)
    #expect(rule.exponents == [13, 14])
    #expect(stage(rule, "4096 4096 2 0 / 0 0 0 0 / 0 0 0 0 / 0 0 0 2") == 0)
    #expect(stage(rule, "0 0 2 0 / 0 0 8192 0 / 0 0 0 0 / 0 0 0 4096") == 1)
    #expect(stage(rule, "0 0 2 0 / 0 0 8192 0 / 0 0 0 0 / 0 0 0 16384") == 2)
    // Tiles above the thresholds, and above the largest tile that a network distinguishes.
    #expect(stage(rule, "0 0 2 0 / 0 0 0 0 / 0 0 0 0 / 0 0 0 32768") == 2)
    #expect(stage(rule, "0 0 2 0 / 0 0 0 0 / 0 0 0 0 / 0 0 0 131072") == 2)
    #expect(stage(rule, "0 0 0 0 / 0 0 0 0 / 0 0 0 0 / 0 0 0 0") == 0)
  }

  @Test func rulesThatCannotBe() {
    #expect(StageRule(checking: [14]) == StageRule(exponents: [14]))
    for exponents in [[], [0], [16], [14, 14]] {
      #expect(StageRule(checking: exponents) == nil)
    }
    #expect(StageRule(checking: Array(1...15))?.count == 16)
    #expect(StageRule.single.count == 1)
  }

  @Test(arguments: rules)
  func valuesAreTheNaiveSumsOfTheirStage(_ rule: StageRule) throws {
    let (network, naive) = try randomNetworks(
      ["0123", "0145", "59"], boardSize: 4, stages: rule, weights: -100...100)
    var naiveAndSparse = naive
    var source = Xoshiro256(seed: 5)
    // Entries that a stage has not learned.
    for offset in naive.weights.indices where Bool.random(using: &source) {
      naiveAndSparse.weights[offset] = 0
      network.weights[offset] = 0
    }
    var boards = RandomBoards(seed: 54, size: 4)
    var seen: Set<Int> = []
    let counts = SharedWeights(count: network.weights.count)
    for _ in 0..<500 {
      let board = boards.next()
      let stage = rule.stage(ofPlanes: board.saturatedPlanes)
      seen.insert(stage)
      let entries = naiveAndSparse.features(of: board).map {
        naiveAndSparse.readOffset(at: $0 + stage * naive.shape.stageStride)
      }
      let before = entries.map { counts[$0] }
      network.countReads(ofPlanes: board.saturatedPlanes, in: counts)
      #expect(zip(entries, before).allSatisfy { counts[$0] > $1 })
      for feature in naive.features(of: board).prefix(3) {
        let offset = feature + stage * naive.shape.stageStride
        #expect(network.weight(readAt: offset, stage: stage) == naiveAndSparse.weight(at: offset))
      }
      let expected = naiveAndSparse.value(of: board, stage: stage)
      #expect(abs(network.value(of: board) - expected) < 0.01)
      if let move = network.greedyMove(from: board, rules: .standard) {
        #expect(Double(move.value) == network.value(of: move.afterstate))
      }
    }
    #expect(seen.count > 2)
  }

  @Test(arguments: rules)
  func updatesGoToTheStageAndStartFromTheOneBefore(_ rule: StageRule) throws {
    var (network, naive) = try randomNetworks(
      ["0123", "59"], boardSize: 4, stages: rule, weights: 0...0)
    var boards = RandomBoards(seed: 72, size: 4)
    var stages: Set<Int> = []
    for round in 0..<200 {
      let board = round % 2 == 0 ? boards.next(exponents: 0...9) : boards.next(exponents: 0...4)
      let stage = rule.stage(ofPlanes: board.saturatedPlanes)
      stages.insert(stage)
      let step = Float(round % 5 - 2) * 0.25 + 0.125
      network.add(step, toFeaturesOf: board.saturatedPlanes)
      for feature in naive.features(of: board) {
        let offset = feature + stage * naive.shape.stageStride
        naive.weights[offset] = naive.weight(at: offset) + step
      }
    }
    #expect(stages.count > 2)
    #expect(naive.weights.indices.allSatisfy { naive.weights[$0] == network.weights[$0] })
  }

  @Test func tablesOfAllStagesLieApart() {
    let shape = NetworkShape(
      patterns: TestNetworks.shape(["0123", "59"]).patterns,
      stages: StageRule(exponents: [14]))
    #expect(shape.entryCount == 2 * (65_536 + 256))
    #expect(shape.tables.map(\.stage) == [0, 0, 1, 1])
    var end = 0
    for table in shape.tables {
      #expect(table.offset >= end)
      end = table.offset + table.pattern.entryCount
    }
    #expect(shape.storageCount == end)
  }

  @Test func optimisticWeightsAreLeftToBePromoted() throws {
    let (network, _) = try randomNetworks(
      ["0123", "59"], boardSize: 4, stages: StageRule(exponents: [3]), weights: 0...0)
    network.setInitialValue(3_200)
    #expect(network.value(of: Board()) == 3_200)
    #expect(network.value(of: game.board("8 2 0 0 / 0 0 0 0 / 0 0 0 0 / 0 0 0 0")) == 3_200)
    for table in network.shape.tables {
      #expect(network.weights[table.offset] == (table.stage == 0 ? 200 : 0))
    }
  }
}
