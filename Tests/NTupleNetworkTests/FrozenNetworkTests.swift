import Game2048
import TestSupport
import Testing

@testable import NTupleNetwork

@Suite struct FrozenNetworkTests {
  /// Returns the naive twin of a frozen network.
  private func naive(_ network: FrozenNetwork) -> NaiveNetwork {
    let thawed = network.thawed()
    return NaiveNetwork(
      shape: network.shape, weights: (0..<thawed.weights.count).map { thawed.weights[$0] })
  }

  @Test(arguments: NetworkCase.all)
  func valuesAreSumsOfEntriesInTheirUnits(_ network: NetworkCase) throws {
    let shape = TestNetworks.shape(network.patterns, size: network.boardSize)
    let frozen = FrozenNetwork.random(shape)
    let naive = naive(frozen)
    var boards = RandomBoards(seed: 71, size: network.boardSize)
    for _ in 0..<200 {
      for board in [boards.next(), boards.next(exponents: 1...17), boards.nextLarge()] {
        let expected = naive.value(of: board)
        // Weights of the twin are rounded to floats, and so is the value.
        #expect(abs(frozen.value(of: board) - expected) <= 1)
      }
    }
  }

  @Test func sumsDoNotRound() throws {
    let frozen = FrozenNetwork(
      TestNetworks.shape(["0", "1"]),
      scales: [
        FrozenNetwork.Scale(base: 0.5, unit: 0.25), FrozenNetwork.Scale(base: 0, unit: 1_000),
      ], levelOffsets: .none)
    for (pattern, entry) in [3, -32_768].enumerated() {
      unsafe frozen.withEntries(ofPattern: pattern) { unsafe $0[0] = Int16(entry) }
    }
    // Eight images read entry 0 of both tables.
    #expect(frozen.value(of: Board()) == Double(Float(8 * 0.5 + 8 * 3 * 0.25 - 8 * 32_768_000)))
  }

  @Test func offsetsBelongToTheValue() throws {
    var offsets = LevelOffsets.none
    for level in TileLevel.all(ofLargest: 14) { offsets[level] = 1_000 * Float(level.missing) }
    let shape = NetworkShape(
      patterns: [try Pattern("0123")], downgrading: Downgrading(from: 14))
    let frozen = FrozenNetwork.random(shape, levelOffsets: offsets)
    let thawed = frozen.thawed()
    #expect(thawed.levelOffsets == offsets)
    let board = ReferenceGame().board("16384 8192 2048 0 / 0 0 0 0 / 0 0 0 0 / 0 0 0 2")
    #expect(abs(frozen.value(of: board) - thawed.value(of: board)) < 0.1)
    thawed.levelOffsets = .none
    #expect(abs(frozen.value(of: board) - thawed.value(of: board) - 12_000) < 0.1)
  }

  @Test(arguments: [0, 1, 2, 3, 4, 5, 8, 131])
  func manyValuesAreThoseOfEachBoard(count: Int) throws {
    let (staged, _) = try randomNetworks(
      ["0123", "456"], boardSize: 4, stages: StageRule(exponents: [5, 9]), weights: -100...100)
    for place in stride(from: 0, to: staged.weights.count, by: 3) { staged.weights[place] = 0 }
    let (single, _) = try randomNetworks(
      ["0123", "456"], boardSize: 4, downgrading: Downgrading(from: 12), weights: -100...100)
    var offsets = LevelOffsets.none
    for level in TileLevel.all(ofLargest: 12) { offsets[level] = 10 * Float(level.missing) }
    single.levelOffsets = offsets
    let frozen = FrozenNetwork.random(single.shape, levelOffsets: offsets)
    var boards = RandomBoards(seed: 72)
    let planes = (0..<count).map { _ in boards.next(exponents: 1...14).planes }
    // More features than are requested at once.
    let cells = (0..<9).map { String($0, radix: 16) }
    let (large, _) = try randomNetworks(cells, boardSize: 4, weights: -100...100)
    for network in [staged, single, frozen, large] as [any PlayableNetwork] {
      var values = [Double](repeating: .nan, count: count)
      unsafe network.write(valuesOfPlanes: planes, count: count, to: &values)
      #expect(values == planes.map { Double(network.value(ofPlanes: $0)) })
    }
  }
}
