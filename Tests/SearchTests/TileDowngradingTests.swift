import Game2048
import NTupleNetwork
import TestSupport
import Testing

@testable import Play
@testable import Search

@Test(arguments: [
  // Below the threshold nothing happens.
  ("F00E0C1230000000", 16, "F00E0C1230000000"),
  // D is the largest missing tile: E and F move down, C stays.
  ("F00E0C1230000000", 15, "E00D0C1230000000"),
  // Equal tiles stay equal.
  ("GG0E0C1230000000", 16, "FF0E0C1230000000"),
  // Repeated until the board is below the threshold: G to F for the missing F, then F and E for the missing D.
  ("G00E0C1230000000", 15, "E00D0C1230000000"),
  // First D is missing, then B.
  ("FEC0123412340012", 15, "EDC0123412340012"),
  ("FEC0123412340012", 14, "DCB0123412340012"),
  // Two steps down.
  ("H00E0C1230000000", 16, "F00E0C1230000000"),
  // No tile from 64 upwards is missing; tiles up to 32 do not count.
  ("FEDCBA9876432100", 15, "FEDCBA9876432100"),
  ("FEDCBA9875432100", 15, "EDCBA98765432100"),
  // No tile is missing, so the board stays as it is.
  ("123456789ABCDEFG", 15, "123456789ABCDEFG"),
  ("0000000000000000", 15, "0000000000000000"),
])
func largeTilesAreDowngraded(text: String, exponent: Int, expected: String) throws {
  #expect(try Board(text: text).downgraded(from: exponent).text == expected)
}

@Test func aDowngradedBoardHasTheSameMoves() {
  var source = RandomBoards(seed: 9)
  for _ in 0..<300 {
    // Of tiles of 131072, see below.
    let board = source.next(exponents: 1...16)
    let downgraded = board.downgraded(from: 11)
    #expect(
      Rules.standard.legalDirections(from: board)
        == Rules.standard.legalDirections(from: downgraded))
    #expect(board.occupied == downgraded.occupied)
  }
}

@Test func aSearchPlaysOnlyMovesOfTheGame() throws {
  // Two tiles of 131072 do not merge, but two of 65536 would.
  let board = try Board(text: "HH12212112122121")
  let downgraded = board.downgraded(from: 17)
  #expect(Rules.standard.isOver(board) && !Rules.standard.isOver(downgraded))
  let search = Expectimax(smallNetwork(), settings: try searchSettings("depth=2,downgrade=131072"))
  #expect(search.search(board).best == nil)
  let open = try Board(text: "HH12212112122120")
  #expect(
    Rules.standard.legalDirections(from: open).contains(try #require(search.search(open).best)))
  #expect(search.search(open).values[Direction.left.rawValue] == -.infinity)
}

@Test func aSearchSeesTheDowngradedBoard() throws {
  let network = smallNetwork()
  let plain = Expectimax(network, settings: try searchSettings("depth=2"))
  let downgrading = Expectimax(network, settings: try searchSettings("depth=2,downgrade=32768"))
  let board = try Board(text: "F00E0C1230000000")
  let downgraded = try Board(text: "E00D0C1230000000")
  #expect(
    downgrading.evaluateMoves(board).map(\.value) == plain.evaluateMoves(downgraded).map(\.value))
  #expect(downgrading.evaluateMoves(board).map(\.value) != plain.evaluateMoves(board).map(\.value))
  // The moves are those of the original board.
  #expect(
    downgrading.evaluateMoves(board).map(\.afterstate)
      == plain.evaluateMoves(board).map(\.afterstate))
  #expect(downgrading.evaluateMoves(downgraded) == plain.evaluateMoves(downgraded))
  // Also at one ply.
  var player = try PlayerFactory(network: network).player(
    PlayerSpecification("learned:downgrade=32768"), seed: 1)
  let greedy = GreedyNetworkPlayer(network: network)
  #expect(player.chooseMove(from: board) == greedy.chooseMove(from: downgraded))
}
