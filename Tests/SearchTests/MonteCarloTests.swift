import Game2048
import NTupleNetwork
import TestSupport
import Testing

@testable import Play
@testable import Search

/// Rules of 2 × 2 boards with only 2s as spawns: few games are possible, so values can be computed by hand.
private let small = Rules(size: 2, fourProbability: 0)

/// Returns a 2 × 2 board with four tiles.
private func small(_ a: Int, _ b: Int, _ c: Int, _ d: Int) -> Board {
  var board = Board()
  for (cell, tile) in zip([0, 1, 4, 5], [a, b, c, d]) {
    board[cell] = Board.exponent(ofTile: tile)!
  }
  return board
}

private func settings(_ options: String) throws -> MonteCarloSettings {
  try #require(PlayerSpecification("montecarlo:\(options)").monteCarlo)
}

/// The values of up, down, left and right.
private func values(
  _ board: Board, _ options: String, rules: Rules = small, seed: UInt64 = 1
) throws -> [Double?] {
  var player = try PlayerFactory(rules: rules).player(
    PlayerSpecification("montecarlo:\(options)"), seed: seed)
  return player.decide(on: board).moves.map(\.value)
}

@Suite struct MonteCarloTests {
  /// Down leads to `8 . / 16 2`, and the only spawn to `8 2 / 16 2`: the 2s merge for 4 points, up or
  /// down, and then no move is legal. Right leads to `8 2 / . 16` and `8 2 / 2 16`: the end.
  private let forced = small(8, 2, 16, 0)

  @Test func playoutsToTheEndAreWorthTheirPoints() throws {
    #expect(try values(forced, "simulations=7") == [nil, 4, nil, 0])
    #expect(try values(forced, "simulations=7,policy=merging") == [nil, 4, nil, 0])
    // Left and right earn 8; one spawn later `8 .` above has become a dead `8 2` or `2 8`.
    #expect(try values(small(4, 4, 16, 32), "simulations=3") == [nil, nil, 8, 8])
  }

  @Test func leavesAreValuedAtTheirDepth() throws {
    // One ply: the afterstate itself, here 13 empty cells of 16.
    #expect(
      try values(forced, "simulations=3,depth=1,evaluator=emptyCells") == [nil, 13, nil, 13])
    // Two plies: after the merge of the 2s there are 13 again; right is dead.
    #expect(
      try values(forced, "simulations=3,depth=2,evaluator=emptyCells") == [nil, 13, nil, -1e7])
    // Three plies: nothing moves after the merge.
    #expect(
      try values(forced, "simulations=3,depth=3,evaluator=emptyCells") == [nil, -1e7, nil, -1e7])
  }

  /// The properties of networks: rewards count, and terminal states have the value 0.
  private struct Constant: Evaluator {
    var rewardWeight: Double { 1 }
    var terminalValue: Double { 0 }
    func value(of afterstate: Board) -> Double { 100 }
  }

  @Test func rewardsCountAsTheEvaluatorDeclares() throws {
    func values(_ board: Board, plies: Int) throws -> [Double?] {
      var player = MonteCarloPlayer(
        name: "", evaluator: Constant(),
        settings: try settings("simulations=5,depth=\(plies)"), rules: small, seed: 1)
      return player.decide(on: board).moves.map(\.value)
    }
    #expect(try values(forced, plies: 1) == [nil, 100, nil, 100])
    #expect(try values(forced, plies: 2) == [nil, 104, nil, 0])
    #expect(try values(forced, plies: 3) == [nil, 4, nil, 0])
    // The reward of the move itself counts, too.
    #expect(try values(small(4, 4, 16, 32), plies: 1) == [nil, nil, 108, 108])
  }

  @Test func illegalTriesEndAPlayout() throws {
    // Of the four directions two are legal after down: one try finds none of them in half of the
    // playouts, three in an eighth. Five standard errors of 4,000 playouts are 0.16 and 0.11.
    let one = try #require(try values(forced, "simulations=4000,tries=1")[1])
    #expect(abs(one - 2) < 0.16)
    let three = try #require(try values(forced, "simulations=4000,tries=3")[1])
    #expect(abs(three - 3.5) < 0.11)
    // A playout that gives up has the value of its last afterstate; one that ends has the terminal value.
    let leaf = try values(forced, "simulations=50,tries=1,depth=2,evaluator=emptyCells")
    #expect(leaf == [nil, 13, nil, -1e7])
  }

  @Test func mergesArePreferred() throws {
    // Right leads to `. 2 / . .`. Two of three spawns stand beside the 2; then two of three legal
    // moves merge them for 4 points. Merging playouts earn 4 · 2/3, random ones 4 · 2/3 · 2/3.
    let options = "simulations=4000,depth=2"
    func right(_ policy: String) throws -> Double {
      var player = MonteCarloPlayer(
        name: "", evaluator: PointsAlone(),
        settings: try settings("\(options),policy=\(policy)"), rules: small, seed: 3)
      return try #require(player.decide(on: small(2, 0, 0, 0)).moves[3].value)
    }
    // Five standard errors are 0.15 and 0.16.
    #expect(abs(try right("merging") - 8.0 / 3) < 0.15)
    #expect(abs(try right("random") - 16.0 / 9) < 0.16)
  }

  @Test func smoothMovesArePreferred() throws {
    // Left leads to `4 2 / 2 .` and then to `4 2 / 2 2`. Up makes `4 4 / 2 .` and left `4 2 / 4 .`, both
    // of smoothness -2; down makes `4 . / 2 4` and right `4 2 / . 4`, both of -4.
    let options = "simulations=400,depth=2,evaluator=smoothness"
    #expect(try values(small(4, 2, 0, 2), "\(options),policy=smooth")[2] == -2)
    let random = try #require(try values(small(4, 2, 0, 2), options)[2])
    #expect(abs(random + 3) < 0.25)
  }

  @Test func theFirstOfEqualMovesIsPlayed() throws {
    // No later move earns a point.
    var player = MonteCarloPlayer(
      name: "", evaluator: PointsAlone(), settings: try settings("simulations=5"), rules: small,
      seed: 1)
    #expect(player.decide(on: small(4, 8, 16, 0)).moves.map(\.value) == [nil, 0, nil, 0])
    #expect(player.chooseMove(from: small(4, 8, 16, 0)) == .down)
    #expect(player.chooseMove(from: small(4, 4, 16, 32)) == .left)
    #expect(player.chooseMove(from: small(4, 8, 8, 4)) == nil)
  }

  @Test func theBestMoveIsPlayed() throws {
    let boards = SampleBoards.random(20, largestExponent: 6)
    func player() throws -> MonteCarloPlayer {
      MonteCarloPlayer(
        name: "", evaluator: PointsAlone(), settings: try settings("simulations=10"), seed: 5)
    }
    var choosing = try player()
    var deciding = try player()
    for board in boards {
      let decision = deciding.decide(on: board)
      let best = decision.moves.compactMap(\.value).max()
      #expect(decision.best == decision.moves.first { $0.legal && $0.value == best }?.direction)
      #expect(choosing.chooseMove(from: board) == decision.best)
    }
  }

  @Test func seedsDecide() throws {
    let board = SampleBoards.random(1)[0]
    let first = try values(board, "simulations=9", rules: .standard, seed: 1)
    #expect(try values(board, "simulations=9", rules: .standard, seed: 1) == first)
    #expect(try values(board, "simulations=9", rules: .standard, seed: 2) != first)
    // Every move simulates different games.
    var player = MonteCarloPlayer(
      name: "", evaluator: PointsAlone(), settings: try settings("simulations=9"), seed: 1)
    _ = player.chooseMove(from: board)
    #expect(player.decide(on: board).moves.map(\.value) != first)
  }

  @Test func emptierBoardsAreSimulatedLess() throws {
    let adaptive = try settings("simulations=20,adaptive=yes")
    #expect([0, 3, 9, 10, 15].map { adaptive.simulations(emptyCells: $0) } == [20, 14, 2, 1, 1])
    #expect(try settings("simulations=20").simulations(emptyCells: 9) == 20)
    // Ten cells are empty.
    let board = try Board(text: "2 4 2 0 / 4 2 8 0 / 0 0 0 0 / 0 0 0 0")
    let few = try values(board, "simulations=10", rules: .standard)
    #expect(try values(board, "simulations=30,adaptive=yes", rules: .standard) == few)
    // On 2 × 2 only the four cells in play count.
    let four = try values(small(2, 0, 0, 0), "simulations=4", rules: small)
    #expect(try values(small(2, 0, 0, 0), "simulations=10,adaptive=yes") == four)
  }

  @Test func tilesOf65536AreSimulatedExactly() throws {
    // The 32768s merge, and every playout ends after this ply.
    let board = try Board(text: "32768 32768 0 0 / 0 0 0 0 / 0 0 0 0 / 0 0 0 0")
    var player = MonteCarloPlayer(
      name: "", evaluator: Constant(), settings: try settings("simulations=2,depth=1"), seed: 1)
    #expect(player.decide(on: board).moves.map(\.value) == [nil, 100, 65_636, 65_636])
  }
}
