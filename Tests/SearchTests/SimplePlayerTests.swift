import Game2048
import TestSupport
import Testing

@testable import Search

private func board(_ text: String) -> Board { try! Board(text: text) }

@Test(arguments: [
  ("2 2 4 8 / 0 4 0 4 / 8 8 8 8 / 16 0 16 16", Direction.right),
  ("0 0 4 8 / 4 4 0 0 / 2 2 4 8 / 0 4 0 4", .down),
  ("4 2 2 0 / 2 2 0 0 / 2 0 0 0 / 4 4 4 4", .right),
])
func greedyOnWorkedBoards(text: String, expected: Direction) {
  #expect(GreedyPlayer().chooseMove(from: board(text)) == expected)
}

@Test func greedyTakesTheLastOfEqualRewards() {
  // Nothing merges: right is the last legal move; then down is, once right is not legal.
  #expect(GreedyPlayer().chooseMove(from: board("0 0 0 0 / 0 2 0 0 / 0 0 0 0 / 0 0 0 0")) == .right)
  #expect(GreedyPlayer().chooseMove(from: board("0 0 2 4 / 0 0 0 0 / 0 0 0 0 / 0 0 0 0")) == .left)
  // Up and down earn 4, left and right nothing.
  #expect(GreedyPlayer().chooseMove(from: board("2 0 0 0 / 2 0 0 0 / 0 0 0 0 / 0 0 0 0")) == .down)
  // Left and right earn 4, up and down 8.
  #expect(GreedyPlayer().chooseMove(from: board("4 0 0 0 / 4 2 2 0 / 0 0 0 0 / 0 0 0 0")) == .down)
  #expect(GreedyPlayer().chooseMove(from: board("2 4 2 4 / 4 2 4 2 / 2 4 2 4 / 4 2 4 2")) == nil)
}

@Test func greedyValuesMovesByReward() {
  let moves = GreedyPlayer().decide(on: board("4 0 0 0 / 4 2 2 0 / 0 0 0 0 / 0 0 0 0")).moves
  #expect(moves.map(\.direction) == [.up, .down, .left, .right])
  #expect(moves.map(\.value) == [8, 8, 4, 4])
  let stuck = GreedyPlayer().decide(on: board("0 0 0 2 / 0 0 0 0 / 0 0 0 0 / 0 0 0 0")).moves
  #expect(stuck.map(\.legal) == [false, true, true, false])
  #expect(stuck.map(\.value) == [nil, 0, 0, nil])
  #expect(stuck[0].afterstate == board("0 0 0 2 / 0 0 0 0 / 0 0 0 0 / 0 0 0 0"))
}

@Test(arguments: [
  // Up would merge the 2s and keep the 64 in its corner.
  ("64 2 0 0 / 0 2 0 0 / 0 0 0 0 / 0 0 0 0", Direction.up),
  // The 64 is in the lower left corner: up and down merge, but up moves it away.
  ("0 2 0 0 / 0 2 0 0 / 0 0 0 0 / 64 0 0 0", .down),
  // Only left and right merge. Both keep the 64 in its corner, and left is tried first.
  ("64 8 16 32 / 2 2 4 8 / 0 0 0 0 / 0 0 0 0", .left),
  // Only left and right merge, and left takes the 64 out of the right corner.
  ("0 0 0 64 / 4 4 0 0 / 0 0 0 0 / 0 0 0 0", .right),
  // A merge of the largest tiles leaves the new largest tile in the corner.
  ("64 0 0 0 / 64 0 0 0 / 0 0 0 0 / 0 0 0 0", .up),
  // The same in the lower row, where up would move it to the other corner.
  ("0 0 0 0 / 0 0 0 0 / 64 0 0 0 / 64 0 0 0", .down),
  // A merge elsewhere makes a tile as large as that in the corner, which still holds a largest tile.
  ("64 0 0 0 / 0 0 32 32 / 0 0 0 0 / 0 0 0 0", .left),
  // Left makes the largest tile in the corner that held one before.
  ("64 0 64 64 / 0 0 0 0 / 0 0 0 0 / 0 0 0 0", .left),
  // Up and down make a 128 outside of the corners, so no reward counts: left, as without rewards.
  ("64 2 0 0 / 0 64 0 0 / 0 64 0 0 / 0 0 0 0", .left),
  // No reward anywhere: left, else down, else right, else up.
  ("0 0 0 64 / 0 0 0 0 / 0 0 0 0 / 0 0 0 0", .left),
  ("64 0 0 0 / 0 0 0 0 / 0 0 0 0 / 0 0 0 0", .down),
  ("0 0 0 0 / 0 0 0 0 / 0 0 0 0 / 64 0 0 0", .right),
  ("0 0 0 0 / 0 0 0 0 / 0 0 0 0 / 64 2 4 8", .up),
  // No largest tile is in a corner, so rewards do not matter.
  ("0 2 64 0 / 0 2 0 0 / 0 0 0 0 / 0 0 0 0", .left),
])
func rulesInTheirOrder(text: String, expected: Direction) {
  #expect(RulePlayer().chooseMove(from: board(text)) == expected)
}

@Test func rulesOnASmallBoardUseItsCorners() {
  let rules = Rules(size: 2)
  // The 8 is in the lower right corner of 2 × 2. Up merges the 2s but moves the 8 away; down keeps it.
  var small = Board()
  small[0] = 1
  small[4] = 1
  small[5] = 3
  #expect(RulePlayer(rules: rules).chooseMove(from: small) == .down)
}

@Test func randomPlaysLegalMovesEvenly() {
  // Down, left and right are legal.
  let open = board("0 2 0 0 / 0 0 0 0 / 0 0 0 0 / 0 0 0 0")
  var player = RandomPlayer(seed: 7)
  var counts: [Direction: Int] = [:]
  for _ in 0..<30_000 { counts[player.chooseMove(from: open)!, default: 0] += 1 }
  #expect(counts[.up] == nil)
  // Five standard deviations of a third of 30,000 are 408.
  for direction in [Direction.down, .left, .right] {
    #expect(abs(counts[direction, default: 0] - 10_000) < 410)
  }
  #expect(player.chooseMove(from: board("2 4 2 4 / 4 2 4 2 / 2 4 2 4 / 4 2 4 2")) == nil)
}

@Test func randomRepeatsItselfBySeed() {
  let boards = SampleBoards.random(200, largestExponent: 5)
  func moves(_ seed: UInt64) -> [Direction?] {
    var player = RandomPlayer(seed: seed)
    return boards.map { player.chooseMove(from: $0) }
  }
  #expect(moves(3) == moves(3))
  #expect(moves(3) != moves(4))
}

@Test func playersWithoutValuesGiveNone() {
  let players: [any Player] = [RandomPlayer(seed: 1), RulePlayer()]
  for var player in players {
    let moves = player.decide(on: board("2 2 0 0 / 0 0 0 0 / 0 0 0 0 / 0 0 0 0")).moves
    #expect(moves.map(\.legal) == [false, true, true, true])
    #expect(moves.map(\.reward) == [0, 0, 4, 4])
    #expect(moves.allSatisfy { $0.value == nil })
  }
}
