import Game2048
import NTupleNetwork
import TestSupport
import Testing

@testable import Play

@Suite struct ReadCountsTests {
  private let rules = Rules(size: 2)

  private func allCounts(_ counts: SharedWeights) -> [Float] {
    (0..<counts.count).map { counts[$0] }
  }

  @Test func readsAreCountedForEverySymmetry() throws {
    // The images of the upper left cell are the corners, each twice.
    let network = NTupleNetwork(TestNetworks.shape(["0"]))
    let counts = SharedWeights(count: network.weights.count)
    let board = try Board(text: "1002000000003001")
    network.countReads(ofPlanes: board.saturatedPlanes, in: counts)
    #expect(allCounts(counts) == [0, 4, 2, 2] + .init(repeating: 0, count: 12))
  }

  @Test func everyAfterstateOfEveryMoveIsCounted() {
    let network = TestNetworks.random(["01", "0"], size: 2)
    let games = 20
    let counts = network.readCounts(greedyGames: games, seed: 5, rules: rules)
    var afterstates = 0
    for game in 0..<games {
      let spawns = GameSpawns(seed: 5, game: game)
      var board = Board()
      rules.spawn(on: &board, bits: spawns.bits(0))
      rules.spawn(on: &board, bits: spawns.bits(1))
      var spawn = 2
      while let best = network.greedyMove(from: board, rules: rules) {
        afterstates += Direction.allCases.count { rules.move(board, $0) != nil }
        board = best.afterstate
        rules.spawn(on: &board, bits: spawns.bits(spawn))
        spawn += 1
      }
    }
    #expect(allCounts(counts).reduce(0, +) == Float(afterstates * network.featureCount))
  }

  @Test func theSeedDecides() {
    let network = TestNetworks.random(["01"], size: 2)
    func counts(_ seed: UInt64) -> [Float] {
      allCounts(network.readCounts(greedyGames: 5, seed: seed, rules: rules))
    }
    #expect(counts(1) == counts(1))
    #expect(counts(1) != counts(2))
  }
}
