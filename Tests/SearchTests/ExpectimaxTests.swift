import Game2048
import NTupleNetwork
import TestSupport
import Testing

@testable import Search

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
  let twoPlies = Expectimax(DeathWish(), settings: try searchSettings("depth=2"))
  let moves = twoPlies.evaluateMoves(board)
  #expect(abs((moves[2].value ?? 0) - (0.9 * 1000 + 0.1 * 1)) < 1e-3)
  #expect(abs((moves[3].value ?? 0) - (0.9 * 1 + 0.1 * 1000)) < 1e-3)
  // A search of one ply ignores the spawn.
  let onePly = Expectimax(DeathWish(), settings: try searchSettings("depth=1"))
  #expect(onePly.evaluateMoves(board)[2].value == 1)
  let over = try Board(text: "2 4 2 4 / 4 2 4 2 / 2 4 2 4 / 4 2 4 2")
  #expect(twoPlies.search(over).best == nil)
  #expect(twoPlies.evaluateMoves(over).allSatisfy { !$0.legal })
}

@Test func theFirstOfEqualMovesWins() throws {
  let search = Expectimax(DeathWish(), settings: try searchSettings("depth=1"))
  let middle = try Board(text: "0000050000000000")
  #expect(search.search(middle).best == .up)
  #expect(search.search(try Board(text: "0500000000000000")).best == .down)
}

@Test func aThresholdEndsTheSearchAtImprobableChanceNodes() throws {
  let board = try Board(text: "1230402302346003")
  func values(_ text: String) throws -> [Double?] {
    Expectimax(smallNetwork(), settings: try searchSettings(text)).evaluateMoves(board).map(\.value)
  }
  // The afterstate of the root move has probability 1, and those below it have less.
  #expect(try values("depth=3,probability=1") == values("depth=2"))
  // A threshold below the least probability of the tree (0.1/16 twice) changes nothing.
  #expect(try values("depth=3,probability=1e-6") == values("depth=3"))
  // Between 0.1/k and 0.9/k the 4s are cut and the 2s are not.
  #expect(try values("depth=3,probability=0.05") != values("depth=3"))
  #expect(try values("depth=3,probability=0.05") != values("depth=2"))
}

/// Expectimax by its definition, extended by cuts by probability and by empty cells.
private struct CutReference {
  let evaluator: any Evaluator
  var threshold = 0.0
  /// The maximum number of plies for boards with at least a number of empty cells.
  var limits: [(cells: Int, plies: Int)] = []
  /// The value below which boards are given up.
  var least = -Double.infinity

  func value(_ after: Board, _ layers: Int, _ probability: Double = 1) -> Double {
    let empty = Board.cellCount - after.tileCount
    let layers = limits.reduce(layers) { $1.cells <= empty ? min($0, $1.plies - 1) : $0 }
    let leaf = evaluator.value(of: after)
    if layers == 0 || probability < threshold || leaf < least { return leaf }
    var sum = 0.0
    Rules.standard.forEachSpawn(on: after) { state, share in
      let moves = Direction.allCases.compactMap { Rules.standard.move(state, $0) }
      sum +=
        share
        * (moves.map {
          evaluator.rewardWeight * Double($0.reward)
            + value($0.afterstate, layers - 1, probability * share)
        }.max() ?? evaluator.terminalValue)
    }
    return sum
  }
}

/// Compares a search of 4 plies with the definition.
private func expectValues(
  of reference: CutReference, _ options: String, boards: [Board]
) throws {
  let search = Expectimax(smallNetwork(), settings: try searchSettings("depth=4,\(options)"))
  for board in boards {
    for move in search.evaluateMoves(board) where move.legal {
      let expected = Double(move.reward) + reference.value(move.afterstate, 3)
      #expect(
        abs((move.value ?? 0) - expected) <= 1e-5 * max(1, abs(expected)),
        "\(options), \(board.text)")
    }
  }
}

@Test func aCutSearchWeighsWhatItSearchesAndWhatItCutsAlike() throws {
  // The threshold cuts every 4, and everything below the 2s of the first layer.
  try expectValues(
    of: CutReference(evaluator: smallNetwork(), threshold: 0.05), "probability=0.05,table=0",
    boards: SampleBoards.random(30, largestExponent: 9).filter { $0.tileCount >= 9 })
}

@Test(arguments: ["table=0", "table=64K", "table=64K,threads=2"])
func limitsBelowTheRootEqualTheirDefinition(means: String) throws {
  // On crowded boards, few moves leave that many empty cells, but more moves further down do.
  let reference = CutReference(evaluator: smallNetwork(), limits: [(4, 3), (5, 2), (7, 1)])
  let boards = SampleBoards.random(400, largestExponent: 5).filter { $0.tileCount >= 12 }.prefix(8)
  #expect(boards.count == 8)
  try expectValues(of: reference, "limits=4:3/5:2/7:1,\(means)", boards: Array(boards))
}

/// Boards in order, with a 16384, on which some moves break the order.
private let orderedBoards = ["EDC3BA9221100001", "ECA4B95281103201"]

@Test(arguments: ["table=0", "table=64K", "table=64K,threads=2"])
func boardsOutOfOrderAreGivenUp(means: String) throws {
  let evaluator = CornerChain()
  let search = Expectimax(evaluator, settings: try searchSettings("depth=3,\(means)"))
  var givenUp = 0
  for board in try orderedBoards.map({ try Board(text: $0) }) {
    let least = evaluator.hopelessValue(from: board)
    #expect(least == 2 * 14 * 16384)
    let reference = CutReference(evaluator: evaluator, least: least)
    let all = CutReference(evaluator: evaluator)
    for move in search.evaluateMoves(board) where move.legal {
      let expected = reference.value(move.afterstate, 2)
      #expect(abs((move.value ?? 0) - expected) <= 1e-6 * abs(expected), "\(move.direction)")
      givenUp += expected == all.value(move.afterstate, 2) ? 0 : 1
    }
  }
  #expect(givenUp > 0)
}

@Test func valuesWithAndWithoutBoardsGivenUpAreToldApart() throws {
  let search = Expectimax(CornerChain(), settings: try searchSettings("depth=3,table=64K"))
  for (text, isTaken) in [(orderedBoards[0], false), ("1230402302346003", true)] {
    let board = try Board(text: text)
    #expect((search.evaluator.hopelessValue(from: board) == -.infinity) == isTaken)
    let state = SearchState(
      pass: SearchPass(plies: 3, threshold: 0), hopelessValue: -.infinity,
      settings: search.settings, memory: search.memory)
    let table = try #require(state.table)
    let moves = Rules.standard.moves(from: board)
    for move in 0..<4 {
      table.store(
        moves.planes[move],
        TranspositionTable.Packed(
          value: 12_345, reach: state.reach(1), layers: state.depth(2), generation: 0))
    }
    let values = search.evaluateMoves(board).compactMap(\.value)
    #expect(values.allSatisfy { ($0 == 12_345) == isTaken })
  }
}

@Test func automaticDepthCountsDistinctTiles() throws {
  #expect(SearchDepth.auto.plies(from: try Board(text: "1111222200003333")) == 4)
  #expect(SearchDepth.auto.plies(from: try Board(text: "1234500000000001")) == 4)
  #expect(SearchDepth.auto.plies(from: try Board(text: "1234560000000000")) == 5)
  #expect(SearchDepth.auto.plies(from: try Board(text: "123456789ABCDEFG")) == 15)
  #expect(SearchDepth.plies(2).plies(from: try Board(text: "123456789ABCDEFG")) == 2)
}

@Test func limitsHoldAtTheRootAndBelow() throws {
  let network = smallNetwork()
  func values(_ text: String, _ board: Board) throws -> [Double?] {
    Expectimax(network, settings: try searchSettings(text)).evaluateMoves(board).map(\.value)
  }
  let open = try Board(text: "1230402302346003")
  // At least 0 empty cells: all boards.
  #expect(try values("depth=4,limits=0:2", open) == values("depth=2", open))
  // The afterstates of the root have 5 empty cells or more.
  #expect(try values("depth=3,limits=5:1", open) == values("depth=1", open))
  #expect(try values("depth=3,limits=16:1", open) == values("depth=3", open))
  #expect(try values("depth=3,limits=2:3/5:1/8:2", open) == values("depth=1", open))
  // Most afterstates have 3 empty cells or more.
  let full = try Board(text: "1231452342346503")
  let mixed = try values("depth=3,limits=3:1", full)
  #expect(try mixed != values("depth=3", full) && mixed != values("depth=1", full))
}

@Test func greedyNetworkPlayerAgreesWithOnePly() throws {
  let network = smallNetwork()
  let player = GreedyNetworkPlayer(network: network)
  let search = Expectimax(network, settings: try searchSettings("depth=1"))
  for board in SampleBoards.random(500, largestExponent: 17) {
    #expect(player.chooseMove(from: board) == search.search(board).best)
    for (a, b) in zip(player.decide(on: board).moves, search.evaluateMoves(board)) {
      #expect(a.afterstate == b.afterstate && (a.value == nil) == (b.value == nil))
      #expect(abs((a.value ?? 0) - (b.value ?? 0)) <= 1e-3 + 1e-6 * abs(b.value ?? 0))
    }
  }
}
