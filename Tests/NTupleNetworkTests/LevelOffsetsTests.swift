import Game2048
import TestSupport
import Testing

@testable import NTupleNetwork

@Suite struct LevelOffsetsTests {
  private let game = ReferenceGame()

  private func level(_ board: String) -> TileLevel { game.board(board).tileLevel }

  private func level(_ largest: Int, _ missing: Int, isRising: Bool = false) -> TileLevel {
    TileLevel(largest: largest, missing: missing, isRising: isRising)
  }

  /// Offsets that all differ.
  private var someOffsets: LevelOffsets {
    var offsets = LevelOffsets.none
    for largest in LevelOffsets.largest {
      for (place, level) in TileLevel.all(ofLargest: largest).enumerated() {
        offsets[level] = Float(1_000 * largest + 10 * place)
      }
    }
    return offsets
  }

  @Test func levelsAreThoseOfTheLargestMissingTile() {
    #expect(level("16384 0 2048 1024 / 0 0 0 0 / 0 0 0 0 / 0 0 0 2") == level(14, 13))
    #expect(level("16384 8192 0 1024 / 1024 0 0 0 / 0 0 0 0 / 0 0 0 2") == level(14, 12))
    // The pair of 8192 is above the missing 4096. A pair elsewhere does not count.
    #expect(
      level("16384 8192 0 8192 / 0 0 0 0 / 0 0 0 0 / 0 0 0 2") == level(14, 12, isRising: true))
    #expect(level("16384 16384 4096 4096 / 0 0 0 0 / 0 0 0 0 / 0 0 0 2").isRising)
    // Tiles below 64 are never missing, and a pair of the smallest that counts merges into nothing that is.
    #expect(level("2048 1024 512 256 / 128 64 64 0 / 0 0 0 0 / 0 0 0 2") == level(11, 5))
    #expect(level("2048 1024 512 256 / 128 128 32 0 / 0 0 0 0 / 0 0 0 2").isRising)
  }

  @Test func gamesMeetLevelsDownAndUpAgain() {
    let levels = TileLevel.all(ofLargest: 11)
    #expect(levels.map(\.missing) == [10, 9, 8, 7, 6, 5, 6, 7, 8, 9, 10])
    #expect(
      levels.map(\.isRising) == Array(repeating: false, count: 6) + Array(repeating: true, count: 5)
    )
    #expect(levels.last!.next == level(12, 11))
  }

  @Test func offsetsOfAllStepsBelongToTheValue() throws {
    let (network, _) = try randomNetworks(
      ["0"], boardSize: 4, downgrading: Downgrading(from: 14), weights: 0...0)
    network.levelOffsets[level(14, 13)] = 100
    network.levelOffsets[level(14, 12)] = 250
    network.levelOffsets[level(15, 14)] = 7_000
    #expect(network.value(of: game.board("8192 0 0 0 / 0 0 0 0 / 0 0 0 0 / 0 0 0 2")) == 0)
    #expect(network.value(of: game.board("16384 0 0 0 / 0 0 0 0 / 0 0 0 0 / 0 0 0 2")) == 100)
    #expect(network.value(of: game.board("16384 8192 0 0 / 0 0 0 0 / 0 0 0 0 / 0 0 0 2")) == 250)
    // Read as a 16384 without an 8192, and as one with it.
    #expect(network.value(of: game.board("32768 0 0 0 / 0 0 0 0 / 0 0 0 0 / 0 0 0 2")) == 7_100)
    #expect(network.value(of: game.board("32768 8192 0 0 / 0 0 0 0 / 0 0 0 0 / 0 0 0 2")) == 7_250)
    #expect(network.value(of: game.board("65536 0 0 0 / 0 0 0 0 / 0 0 0 0 / 0 0 0 2")) == 7_100)
    // The move that makes the 8192 counts with the offset of what it leads to.
    let move = network.greedyMove(
      from: game.board("16384 4096 4096 0 / 0 0 0 0 / 0 0 0 0 / 0 0 0 2"), rules: .standard)
    #expect(move?.reward == 8_192 && move?.value == 250)
  }

  @Test(arguments: [StageRule.single, StageRule(exponents: [11, 13])])
  func valuesAreThoseOfTheReference(_ stages: StageRule) throws {
    var (network, naive) = try randomNetworks(
      ["0123", "59"], boardSize: 4, stages: stages, downgrading: Downgrading(from: 11),
      weights: -100...100)
    network.levelOffsets = someOffsets
    for largest in 11...15 {
      for (place, level) in TileLevel.all(ofLargest: largest).enumerated() {
        var key = NaiveLevel([])
        (key.largest, key.missing, key.hasPair) = (largest, level.missing, level.isRising)
        naive.offsets[key] = Float(1_000 * largest + 10 * place)
      }
    }
    var boards = RandomBoards(seed: 5, size: 4)
    var withOffset = 0
    for round in 0..<600 {
      let board = boards.next(exponents: [0...12, 6...13, 8...17][round % 3])
      let stage = stages.stage(ofPlanes: board.downgraded(from: 16).saturatedPlanes)
      let expected = naive.value(of: board, stage: stage)
      #expect(abs(network.value(of: board) - expected) < 0.1)
      if naive.offset(of: board.exponents.map { min($0, 15) }) != 0 { withOffset += 1 }
      for move in [network.greedyMove(from: board, rules: .standard)].compactMap(\.self) {
        #expect(Double(move.value) == network.value(of: move.afterstate))
      }
    }
    #expect(withOffset > 300)
  }

  @Test func foldingKeepsOffsets() throws {
    let (network, _) = try randomNetworks(
      ["012", "01"], boardSize: 4, downgrading: Downgrading(from: 14), weights: -9...9)
    network.levelOffsets = someOffsets
    #expect(network.folded().levelOffsets == someOffsets)
  }

  // MARK: Calibration

  /// Returns the residuals of a game through these boards, of a network whose values are given.
  private func residuals(_ boards: [(board: String, value: Float, reward: Int32)]) -> LevelResiduals
  {
    var game = LevelResiduals.Game(Downgrading(from: 14))
    for (text, value, reward) in boards {
      let board = self.game.board(text)
      game.observe(
        GreedyMove(move: 0, afterstate: board, planes: board.planes, reward: reward, value: value))
    }
    return game.residuals
  }

  private let begun = "16384 4096 4096 0 / 0 0 0 0 / 0 0 0 0 / 0 0 0 2"
  private let made = "16384 8192 0 0 / 0 0 0 0 / 0 0 0 0 / 0 0 0 2"

  @Test func residualsAreThoseOfSuccessiveAfterstates() {
    let found = residuals([
      ("4096 0 0 0 / 0 0 0 0 / 0 0 0 0 / 0 0 0 2", 1, 0), (begun, 50_000, 0), (begun, 50_010, 4),
      (made, 30_000, 8_192),
    ])
    // The first board is far below the tile that is downgraded.
    #expect(found.games == 1 && found.levels == [level(14, 13)])
    let (stays, falls) = (found[level(14, 13), .stays], found[level(14, 13), .falls])
    #expect(stays.count == 1 && stays.mean == 14)
    #expect(falls.count == 1 && falls.mean == -11_818 && falls.deviation == 0)
    #expect(found[level(14, 13), .rises].count == 0 && found[level(14, 12), .falls].count == 0)
  }

  @Test func deviationsAreThoseOfSamples() {
    let recorder = LevelRecorder()
    for (key, value) in [Float(30_000), 31_000, 35_000].enumerated() {
      var game = LevelResiduals.Game(Downgrading(from: 14))
      for (text, value) in [(begun, Float(40_000)), (made, value)] {
        let board = self.game.board(text)
        game.observe(
          GreedyMove(move: 0, afterstate: board, planes: board.planes, reward: 0, value: value))
      }
      recorder.add(game, key: UInt64(key))
    }
    let falls = recorder.residuals[level(14, 13), .falls]
    #expect(recorder.residuals.games == 3 && falls.count == 3 && falls.mean == -8_000)
    #expect(abs(falls.deviation * falls.deviation - 7e6) < 1)
  }

  /// With enough moves between two levels the offset makes up for their mean; without, that of smaller tiles does.
  @Test func offsetsCorrectMeanJumps() {
    let downgrading = Downgrading(from: 14)
    var sum = LevelResiduals()
    for _ in 0..<LevelResiduals.fewest {
      sum.add(residuals([(begun, 50_000, 0), (made, 30_000, 8_192)]))
    }
    var current = LevelOffsets.none
    current[level(14, 12)] = 1_000
    let offsets = sum.offsets(correcting: current, downgrading)
    #expect(offsets[level(14, 13)] == 0)
    // 11,808 are missing although 1,000 were there.
    #expect(offsets[level(14, 12)] == 12_808 && offsets[level(14, 5)] == 12_808)
    #expect(offsets[level(15, 14)] == 12_808)
    #expect(offsets[level(15, 13)] == 2 * 12_808)
    #expect(LevelResiduals().offsets(correcting: current, downgrading) == .none)
    #expect(sum.offsets(correcting: .none, .none) == .none)
    sum = LevelResiduals()
    for _ in 1..<LevelResiduals.fewest {
      sum.add(residuals([(begun, 50_000, 0), (made, 30_000, 8_192)]))
    }
    #expect(sum.offsets(correcting: .none, downgrading) == .none)
  }
}
