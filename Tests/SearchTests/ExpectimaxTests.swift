import Evaluators
import Game2048
import NTupleNetwork
import RandomSources
import Search
import TestSupport
import Testing

/// A network of two small patterns with weights in −100 ..< 100.
private func smallNetwork() throws -> NTupleNetwork {
  let network = NTupleNetwork(NetworkShape(patterns: [try Pattern("0145"), try Pattern("048")]))
  var source = SplitMix64(seed: 5)
  for offset in 0..<network.weights.count {
    network.weights[offset] = Float.random(in: -100..<100, using: &source)
  }
  return network
}

/// Random boards, and full ones whose next states may be over.
private func boards(plies: Int) -> [Board] {
  let count = plies == 3 ? 6 : 60
  let filled = SampleBoards.random(20 * count, largestExponent: 10).filter { $0.tileCount >= 12 }
  return Array(filled.prefix(count)) + SampleBoards.random(plies == 3 ? 0 : 20, largestExponent: 15)
}

private func expectEqual<E: Evaluator>(
  _ search: Expectimax<E>, _ reference: ReferenceSearch, plies: Int, tolerance: Double
) {
  for board in boards(plies: plies) {
    let expected = reference.values(of: board.grid, plies: plies)
    let moves = search.evaluateMoves(board)
    #expect(moves.map(\.direction) == Direction.allCases)
    for (move, expected) in zip(moves, expected) {
      #expect(move.legal == (expected != nil))
      #expect((move.value == nil) == (expected == nil))
      if let value = move.value, let expected {
        #expect(abs(value - expected) <= tolerance * max(1, abs(expected)))
      }
    }
    let values = moves.compactMap(\.value)
    #expect(
      search.bestMove(from: board)
        == moves.first { $0.value == values.max() && $0.legal }?.direction)
  }
}

@Test(arguments: 1...3)
func rowScoreSearchEqualsItsDefinition(plies: Int) {
  let reference = ReferenceSearch(evaluator: RowScore())
  expectEqual(
    Expectimax(RowScore(), depth: .plies(plies)), reference, plies: plies, tolerance: 1e-12)
}

@Test(arguments: 1...3)
func networkSearchEqualsItsDefinition(plies: Int) throws {
  let network = try smallNetwork()
  expectEqual(
    Expectimax(network, depth: .plies(plies)), ReferenceSearch(evaluator: network), plies: plies,
    tolerance: 1e-10)
}

@Test func aTableChangesNothingWithoutAThreshold() {
  let search = Expectimax(RowScore(), depth: .plies(3), tableBits: 12)
  expectEqual(search, ReferenceSearch(evaluator: RowScore()), plies: 3, tolerance: 1e-12)
  let plain = Expectimax(CompositeA(), depth: .plies(4))
  let withTable = Expectimax(CompositeA(), depth: .plies(4), tableBits: 10)
  for board in boards(plies: 3) {
    #expect(plain.evaluateMoves(board) == withTable.evaluateMoves(board))
  }
}

@Test func oddsOfSpawnsComeFromTheRules() throws {
  let network = try smallNetwork()
  for probability in [0, 0.5, 1] {
    let rules = Rules(fourProbability: probability)
    expectEqual(
      Expectimax(network, rules: rules, depth: .plies(2)),
      ReferenceSearch(evaluator: network, fourProbability: probability), plies: 2,
      tolerance: 1e-10)
  }
}

/// An evaluator that shows where a search ends: 1 for every board, 1000 for a dead one.
private struct DeathWish: Evaluator {
  var rewardWeight = 0.0
  var terminalValue = 1000.0
  func value(of afterstate: Board) -> Double { 1 }
}

@Test func aDeadStateIsWorthTheTerminalValue() throws {
  // Moving left or right leaves one empty cell, at the right or left end of the last row.
  let board = try Board(text: "2 4 2 4 / 4 2 4 2 / 2 4 2 4 / 8 0 32 64")
  // Left: 8 32 64 _ below the 4; a 2 ends the game, a 4 merges with it and leads on.
  // Right: _ 8 32 64 below the 2; a 2 merges, a 4 ends the game.
  let moves = Expectimax(DeathWish(), depth: .plies(2)).evaluateMoves(board)
  #expect(moves[2].value == 0.9 * 1000 + 0.1 * 1)
  #expect(moves[3].value == 0.9 * 1 + 0.1 * 1000)
  // At one ply nobody looks at the spawn.
  #expect(Expectimax(DeathWish(), depth: .plies(1)).evaluateMoves(board)[2].value == 1)
  let over = try Board(text: "2 4 2 4 / 4 2 4 2 / 2 4 2 4 / 4 2 4 2")
  #expect(Expectimax(DeathWish(), depth: .plies(2)).bestMove(from: over) == nil)
  #expect(Expectimax(DeathWish(), depth: .plies(2)).evaluateMoves(over).allSatisfy { !$0.legal })
}

@Test func theFirstOfEqualMovesWins() throws {
  let search = Expectimax(DeathWish(), depth: .plies(1))
  let middle = try Board(text: "0000050000000000")
  #expect(search.bestMove(from: middle) == .up)
  #expect(search.bestMove(from: try Board(text: "0500000000000000")) == .down)
}

@Test func aThresholdEndsTheSearchAtImprobableChanceNodes() throws {
  let network = try smallNetwork()
  let board = try Board(text: "1230402302346003")
  func values(_ plies: Int, _ threshold: Double) -> [Double?] {
    Expectimax(network, depth: .plies(plies), probabilityThreshold: threshold)
      .evaluateMoves(board).map(\.value)
  }
  // The afterstate of the root move has probability 1: above 1, nothing is searched.
  #expect(values(3, 1.01) == values(1, 0))
  #expect(values(3, 1) == values(2, 0))
  // A threshold below the least probability of the tree (0.1/16 twice) changes nothing.
  #expect(values(3, 1e-6) == values(3, 0))
  #expect(values(3, 0.05) != values(3, 0))
  #expect(values(3, 0.05) != values(2, 0))
}

@Test func automaticDepthCountsDistinctTiles() throws {
  #expect(SearchDepth.auto.plies(from: try Board(text: "1111222200003333")) == 4)
  #expect(SearchDepth.auto.plies(from: try Board(text: "1234500000000001")) == 4)
  #expect(SearchDepth.auto.plies(from: try Board(text: "1234560000000000")) == 5)
  #expect(SearchDepth.auto.plies(from: try Board(text: "123456789ABCDEFG")) == 15)
  #expect(SearchDepth.plies(2).plies(from: try Board(text: "123456789ABCDEFG")) == 2)
}

@Test func greedyNetworkPlayerAgreesWithOnePly() throws {
  let network = try smallNetwork()
  let player = GreedyNetworkPlayer(network: network)
  let search = Expectimax(network, depth: .plies(1))
  for board in SampleBoards.random(500, largestExponent: 17) {
    #expect(player.chooseMove(from: board) == search.bestMove(from: board))
    for (a, b) in zip(player.evaluateMoves(board), search.evaluateMoves(board)) {
      #expect(a.afterstate == b.afterstate && (a.value == nil) == (b.value == nil))
      #expect(abs((a.value ?? 0) - (b.value ?? 0)) <= 1e-3 + 1e-6 * abs(b.value ?? 0))
    }
  }
}

@Test func whatWasSearchedBeforeDoesNotMatter() throws {
  // With a threshold, remembered values depend on the path, so they must not outlive their move.
  func search() -> Expectimax<RowScore> {
    Expectimax(RowScore(), depth: .auto, probabilityThreshold: 1e-2, tableBits: 12)
  }
  let used = search()
  var board = try Board(text: "1230402302346003")
  for move in 0..<30 {
    #expect(used.evaluateMoves(board) == search().evaluateMoves(board))
    guard let direction = used.bestMove(from: board) else { break }
    board = try #require(Rules.standard.move(board, direction)).afterstate
    Rules.standard.spawn(on: &board, bits: SplitMix64.mix(UInt64(move)))
  }
}
