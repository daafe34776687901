import Game2048
import TestSupport
import Testing

@testable import NTupleNetwork

@Suite struct DowngradingTests {
  private let game = ReferenceGame()

  private func downgraded(_ board: String, from exponent: Int) -> Board {
    Board(
      planes: reader(Downgrading(from: exponent)).read(game.board(board).saturatedPlanes).planes)
  }

  /// Returns a network that reads boards with this rule.
  private func reader(_ downgrading: Downgrading) -> NTupleNetwork {
    NTupleNetwork(NetworkShape(patterns: [try! Pattern("0")], downgrading: downgrading))
  }

  @Test func tilesAboveTheLargestMissingOneAreHalved() {
    // 4096 is missing.
    #expect(
      downgraded("16384 8192 2048 2 / 0 0 16384 0 / 0 0 0 0 / 0 0 0 0", from: 14)
        == game.board("8192 4096 2048 2 / 0 0 8192 0 / 0 0 0 0 / 0 0 0 0"))
    // No tile is as large as 16384.
    #expect(
      downgraded("8192 8192 2048 2 / 0 0 0 0 / 0 0 0 0 / 0 0 0 0", from: 14)
        == game.board("8192 8192 2048 2 / 0 0 0 0 / 0 0 0 0 / 0 0 0 0"))
    // Repeated, each time for the tiles above the largest tile that is then missing.
    #expect(
      downgraded("32768 0 2048 2 / 0 0 0 0 / 0 0 0 0 / 0 0 0 0", from: 14)
        == game.board("8192 0 2048 2 / 0 0 0 0 / 0 0 0 0 / 0 0 0 0"))
    #expect(
      downgraded("2048 1024 512 128 / 64 0 0 0 / 0 0 0 0 / 0 0 0 2", from: 10)
        == game.board("1024 512 256 128 / 64 0 0 0 / 0 0 0 0 / 0 0 0 2"))
  }

  @Test func withoutAMissingTileFrom64OnNothingIsDowngraded() {
    for chain in [
      "1024 512 256 128 / 64 32 16 8 / 4 2 0 0 / 0 0 0 0",
      "1024 512 256 128 / 64 0 0 0 / 0 0 0 0 / 0 0 0 2",
    ] {
      #expect(downgraded(chain, from: 10) == game.board(chain))
    }
    #expect(
      downgraded("1024 512 256 128 / 32 16 0 0 / 0 0 0 0 / 0 0 0 2", from: 10)
        == game.board("512 256 128 64 / 32 16 0 0 / 0 0 0 0 / 0 0 0 2"))
    #expect(
      reader(.none).read(0xFFFF_FFFF_FFFF_0000).planes == 0xFFFF_FFFF_FFFF_0000)
  }

  @Test(arguments: Downgrading.range)
  func planesAreLoweredAsExponentsAre(_ exponent: Int) {
    var boards = RandomBoards(seed: 11, size: 4)
    let network = reader(Downgrading(from: exponent))
    var changed = 0
    for round in 0..<2_000 {
      let board = boards.next(exponents: 0...(11 + round % 5))
      let planes = network.read(board.saturatedPlanes).planes
      let expected = naivelyDowngraded(board.exponents, from: exponent)
      #expect(Board(planes: planes).exponents == expected)
      if expected != board.exponents { changed += 1 }
    }
    #expect(changed > 50)
  }

  @Test(arguments: [StageRule.single, StageRule(exponents: [10])])
  func valuesAreThoseOfTheLoweredBoard(_ stages: StageRule) throws {
    let (network, naive) = try randomNetworks(
      ["0123", "0145", "59"], boardSize: 4, stages: stages, downgrading: Downgrading(from: 10),
      weights: -100...100)
    var boards = RandomBoards(seed: 3, size: 4)
    for round in 0..<300 {
      let board = boards.next(exponents: round % 3 == 0 ? 9...17 : 0...12)
      // The stage is that of the original board, which is downgraded below 65536 if it has a larger tile than 32768.
      let small = board.downgraded(from: 16)
      let stage = stages.stage(ofPlanes: small.saturatedPlanes)
      #expect(abs(network.value(of: board) - naive.value(of: board, stage: stage)) < 0.01)
      if let move = network.greedyMove(from: board, rules: .standard) {
        #expect(Double(move.value) == network.value(of: move.afterstate))
        #expect(move.planes == network.planes(of: move.afterstate))
      }
    }
  }

  /// The stage is that of the board as it is: downgraded boards would all be in the first stage.
  @Test func stagesFollowTheBoardAsItIs() throws {
    let (network, _) = try randomNetworks(
      ["01"], boardSize: 4, stages: StageRule(exponents: [14]),
      downgrading: Downgrading(from: 14), weights: 0...0)
    for table in network.shape.tables {
      for entry in 0..<table.pattern.entryCount {
        network.weights[table.offset + entry] = Float(table.stage + 1)
      }
    }
    #expect(network.value(of: game.board("8192 0 0 0 / 0 0 0 0 / 0 0 0 0 / 0 0 0 2")) == 8)
    #expect(network.value(of: game.board("16384 0 0 0 / 0 0 0 0 / 0 0 0 0 / 0 0 0 2")) == 16)
    #expect(network.value(of: game.board("65536 0 0 0 / 0 0 0 0 / 0 0 0 0 / 0 0 0 2")) == 16)
    let before = game.board("8192 8192 0 0 / 0 0 0 0 / 0 0 0 0 / 0 0 0 2")
    #expect(network.greedyMove(from: before, rules: .standard)?.value == 16)
  }

  @Test func updatesMoveTheFeaturesThatValuesRead() throws {
    let downgrading = Downgrading(from: 10)
    let stages = StageRule(exponents: [10, 12])
    var (network, naive) = try randomNetworks(
      ["0123", "59"], boardSize: 4, stages: stages, downgrading: downgrading, weights: 0...0)
    var boards = RandomBoards(seed: 7, size: 4)
    for round in 0..<300 {
      let board = boards.next(exponents: [0...9, 0...11, 0...15][round % 3])
      let stage = stages.stage(ofPlanes: board.planes)
      let step = Float(round % 5 - 2) * 0.25 + 0.125
      #expect(abs(network.value(of: board) - naive.value(of: board, stage: stage)) < 0.01)
      network.add(step, toFeaturesOf: board.saturatedPlanes)
      for feature in naive.features(of: board) {
        let offset = feature + stage * naive.shape.stageStride
        naive.weights[offset] = naive.weight(at: offset) + step
      }
    }
    #expect(naive.weights.indices.allSatisfy { naive.weights[$0] == network.weights[$0] })
  }

  @Test func updatesOfOneStageMoveTheFeaturesThatValuesRead() throws {
    var (network, naive) = try randomNetworks(
      ["0123", "59"], boardSize: 4, downgrading: Downgrading(from: 10), weights: 0...0)
    var boards = RandomBoards(seed: 7, size: 4)
    for round in 0..<200 {
      let board = boards.next(exponents: 0...12)
      let step = Float(round % 5 - 2) * 0.25 + 0.125
      network.add(step, toFeaturesOf: board.saturatedPlanes)
      for feature in naive.features(of: board) { naive.weights[feature] += step }
    }
    #expect(naive.weights.indices.allSatisfy { naive.weights[$0] == network.weights[$0] })

    let counts = SharedWeights(count: network.weights.count)
    let board = game.board("2048 1024 512 128 / 64 0 0 0 / 0 0 0 0 / 0 0 0 2")
    network.countReads(ofPlanes: board.saturatedPlanes, in: counts)
    for feature in naive.features(of: board) { #expect(counts[feature] > 0) }
  }
}
