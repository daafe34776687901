import Game2048
import TestSupport
import Testing

@testable import NTupleNetwork

@Suite struct StagePromotionTests {
  private static let rules = [
    StageRule(.largestTile, exponents: [9, 11], promotion: .downgraded),
    StageRule(.largestTile, exponents: [8, 9, 10], promotion: .downgraded),
    StageRule(.largestTile, exponents: [9, 11], promotion: .none),
    StageRule(.tileSet, exponents: [9, 10], promotion: .none),
    StageRule(.largestTile, exponents: [9, 11], promotion: .copy),
  ]

  /// Returns the content of the cells of `0123` that is read in place of `exponents`.
  private func downgraded(_ exponents: [Int], from exponent: Int) throws -> [Int] {
    let layout = IndexLayout(try Pattern("0123"))
    let index = IndexLayout.downgraded(
      layout.memoryIndex(of: exponents), cellCount: 4, from: exponent)
    return ReferencePromotion.exponents(at: index, of: layout, cellCount: 4)
  }

  @Test func tilesThatDowngradingWouldCertainlyHalve() throws {
    // The stage's tile itself, as long as half of it is not in sight.
    #expect(try downgraded([14, 0, 3, 5], from: 14) == [13, 0, 3, 5])
    #expect(try downgraded([14, 12, 11, 5], from: 14) == [13, 12, 11, 5])
    // The chain below it, up to the first tile that is not in sight.
    #expect(try downgraded([14, 13, 11, 5], from: 14) == [13, 12, 11, 5])
    #expect(try downgraded([14, 13, 12, 10], from: 14) == [13, 12, 11, 10])
    #expect(try downgraded([14, 13, 13, 12], from: 14) == [13, 12, 12, 11])
    // The board has a 16384 even if these cells do not show it.
    #expect(try downgraded([13, 12, 5, 0], from: 14) == [12, 11, 5, 0])
    #expect(try downgraded([12, 11, 5, 0], from: 14) == [12, 11, 5, 0])
    #expect(try downgraded([0, 0, 0, 0], from: 14) == [0, 0, 0, 0])
    // A 32768 is halved until it is below the tile of the stage.
    #expect(try downgraded([15, 0, 0, 2], from: 14) == [13, 0, 0, 2])
    #expect(try downgraded([15, 14, 0, 2], from: 14) == [13, 12, 0, 2])
    #expect(try downgraded([15, 14, 13, 2], from: 15) == [14, 13, 12, 2])
    #expect(try downgraded([14, 13, 12, 2], from: 15) == [13, 12, 11, 2])
    // No tile from 64 on is missing.
    #expect(try downgraded([9, 8, 7, 6], from: 9) == [9, 8, 7, 6])
    #expect(try downgraded([9, 8, 7, 5], from: 9) == [8, 7, 6, 5])
  }

  @Test(arguments: 1...15)
  func entriesFollowTheDefinition(exponent: Int) throws {
    for cells in ["0145", "3"] {
      let pattern = try Pattern(cells)
      let layout = IndexLayout(pattern)
      let count = pattern.cells.count
      for index in 0..<pattern.entryCount {
        let exponents = ReferencePromotion.exponents(at: index, of: layout, cellCount: count)
        let expected = ReferencePromotion.downgraded(exponents, from: exponent)
        let found = IndexLayout.downgraded(index, cellCount: count, from: exponent)
        guard found == layout.memoryIndex(of: expected) else {
          Issue.record("\(exponents) from \(exponent)")
          return
        }
        #expect(found <= index)
      }
    }
  }

  @Test func cellsThatShowTheWholeBoardAreDowngradedLikeIt() throws {
    let pattern = try Pattern("0145", boardSize: 2)
    let layout = IndexLayout(pattern, boardSize: 2)
    let cells = ReferenceSymmetry.memoryCells(pattern.cells, size: 2)
    var boards = RandomBoards(seed: 5, size: 2)
    var changed = 0
    for exponent in 7...15 {
      for _ in 0..<300 {
        let board = boards.next(exponents: 4...15)
        guard board.largestTileExponent >= exponent else { continue }
        func index(_ board: Board) -> Int { layout.memoryIndex(of: cells.map { board[$0] }) }
        let lower = board.downgraded(from: exponent)
        if lower != board { changed += 1 }
        #expect(
          IndexLayout.downgraded(index(board), cellCount: 4, from: exponent) == index(lower))
      }
    }
    #expect(changed > 100)
  }

  @Test func nothingIsHalvedThatTheBoardKeeps() throws {
    let layout = IndexLayout(try Pattern("0123"))
    var boards = RandomBoards(seed: 6, size: 4)
    var halvedCells = 0
    for round in 0..<2_000 {
      var board = boards.next(exponents: 5...12)
      board[round % 16] = 12
      let lower = board.downgraded(from: 12)
      guard lower != board else { continue }
      let exponents = (0..<4).map { board[$0] }
      let index = IndexLayout.downgraded(
        layout.memoryIndex(of: exponents), cellCount: 4, from: 12)
      for (cell, exponent) in ReferencePromotion.exponents(at: index, of: layout, cellCount: 4)
        .enumerated() where exponent != board[cell]
      {
        #expect(exponent == lower[cell])
        halvedCells += 1
      }
    }
    #expect(halvedCells > 500)
  }

  @Test func aStageStartsFromTheDowngradedWeightsOfTheOneBefore() throws {
    let shape = NetworkShape(
      patterns: [try Pattern("01")],
      stages: StageRule(.largestTile, exponents: [14], promotion: .downgraded))
    let network = NTupleNetwork(shape)
    let layout = IndexLayout(shape.patterns[0])
    let game = ReferenceGame()
    func entry(_ exponents: [Int], stage: Int) -> Int {
      shape.tables[stage].offset + layout.memoryIndex(of: exponents)
    }
    network.weights[entry([13, 12], stage: 0)] = 100
    network.weights[entry([12, 13], stage: 0)] = 100
    network.weights[entry([14, 13], stage: 0)] = -7
    // One of the eight images shows the two tiles, with the 16384 first: the first cell is always a corner.
    let board = game.board("16384 8192 0 0 / 0 0 0 0 / 0 0 0 0 / 0 0 0 0")
    #expect(network.value(of: board) == 100)
    // A later change of the first stage still counts, until the stage has an own weight.
    network.weights[entry([13, 12], stage: 0)] = 60
    network.weights[entry([12, 13], stage: 0)] = 60
    #expect(network.value(of: board) == 60)
    network.add(1, toFeaturesOf: board.planes)
    let own = [entry([14, 13], stage: 1), entry([13, 14], stage: 1)].map { network.weights[$0] }
    #expect(own == [61, 0])
    network.weights[entry([13, 12], stage: 0)] = 0
    network.weights[entry([12, 13], stage: 0)] = 0
    #expect(network.value(of: board) > 60)
  }

  @Test(arguments: rules)
  func valuesReadThePromotedWeights(_ rule: StageRule) throws {
    var (network, naive) = try randomNetworks(
      ["0123", "0145", "59"], boardSize: 4, stages: rule, weights: -100...100)
    var source = Xoshiro256(seed: 5)
    for offset in naive.weights.indices where Int.random(in: 0..<3, using: &source) > 0 {
      naive.weights[offset] = 0
      network.weights[offset] = 0
    }
    var boards = RandomBoards(seed: 54, size: 4)
    var seen: Set<Int> = []
    let counts = SharedWeights(count: network.weights.count)
    for round in 0..<500 {
      let board = boards.next(exponents: round % 2 == 0 ? 0...12 : 5...15)
      let stage = rule.stage(ofPlanes: board.saturatedPlanes)
      seen.insert(stage)
      #expect(abs(network.value(of: board) - naive.value(of: board, stage: stage)) < 0.01)
      let entries = naive.features(of: board).map {
        naive.readOffset(at: $0 + stage * naive.shape.stageStride)
      }
      let before = entries.map { counts[$0] }
      network.countReads(ofPlanes: board.saturatedPlanes, in: counts)
      #expect(zip(entries, before).allSatisfy { counts[$0] > $1 })
      for feature in naive.features(of: board).prefix(3) {
        let offset = feature + stage * naive.shape.stageStride
        #expect(network.weight(readAt: offset, stage: stage) == naive.weight(at: offset))
      }
      if let move = network.greedyMove(from: board, rules: .standard) {
        #expect(Double(move.value) == network.value(of: move.afterstate))
      }
    }
    #expect(seen.count > 2)
  }

  @Test(arguments: rules)
  func updatesStartFromThePromotedWeights(_ rule: StageRule) throws {
    var (network, naive) = try randomNetworks(
      ["0123", "59"], boardSize: 4, stages: rule, weights: 0...0)
    var boards = RandomBoards(seed: 72, size: 4)
    var stages: Set<Int> = []
    for round in 0..<300 {
      let board = boards.next(exponents: [0...7, 4...12, 6...15][round % 3])
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

  @Test func optimisticWeightsReachStagesWithoutPromotion() throws {
    let (network, _) = try randomNetworks(
      ["0123", "59"], boardSize: 4,
      stages: StageRule(.largestTile, exponents: [3], promotion: .none), weights: 0...0)
    network.setInitialValue(3_200)
    for board in ["2 2 0 0 / 0 0 0 0 / 0 0 0 0 / 0 0 0 0", "8 2 0 0 / 0 0 0 0 / 0 0 0 0 / 0 0 0 0"]
    {
      #expect(network.value(of: ReferenceGame().board(board)) == 3_200)
    }
  }

  @Test func onlyStagesByTheLargestTileHaveDowngradedPromotion() {
    #expect(StageRule(.largestTile, checking: [14], promotion: .downgraded) != nil)
    #expect(StageRule(.tileSet, checking: [14], promotion: .downgraded) == nil)
    #expect(StageRule(.tileSet, checking: [14], promotion: .none) != nil)
  }
}
