import Game2048
import NTupleNetwork
import TestSupport
import Testing

@testable import Search

private let early = try! Board(text: "1020000000000000")
private let later = try! Board(text: "1234543212345603")

@Test func aMoveMayTakeTheBudgetAndAPartOfWhatIsSaved() {
  let bank = TimeBank(milliseconds: 0.001)
  #expect(bank.allowance(for: early) == 1_000)
  for _ in 0..<8_192 { bank.settle(spent: 500) }
  #expect(bank.saved == 8_192 * 500)
  #expect(bank.allowance(for: later) == 2_000)
}

@Test func noMoveTakesMoreThanTheMost() {
  let bank = TimeBank(milliseconds: 0.001)
  _ = bank.allowance(for: early)
  for _ in 0..<100_000 { bank.settle(spent: 0) }
  #expect(bank.allowance(for: later) == 8_000)
}

// A move overruns by the time between two looks at the clock.
@Test func theNextMovesRepayAnOverrun() {
  let bank = TimeBank(milliseconds: 0.001)
  bank.settle(spent: 1_600)
  #expect(bank.allowance(for: early) == 400)
  bank.settle(spent: 5_000)
  #expect(bank.allowance(for: early) == 0)
}

@Test func anotherGameStartsWithoutSavings() {
  let bank = TimeBank(milliseconds: 0.001)
  _ = bank.allowance(for: later)
  for _ in 0..<5_000 { bank.settle(spent: 0) }
  #expect(bank.allowance(for: later) > 1_000, "the same game goes on")
  #expect(bank.allowance(for: early) == 1_000)
}

@Test func aMoveWithoutASearchLeavesItsBudget() {
  let bank = TimeBank(milliseconds: 0.001)
  bank.skip(early)
  bank.skip(later)
  #expect(bank.saved == 2_000)
  bank.skip(early)
  #expect(bank.saved == 1_000, "another game")
}

@Test func theHorizonSpreadsSavings() {
  let bank = TimeBank(milliseconds: 0.001)
  for _ in 0..<1_024 { bank.skip(later) }
  #expect(bank.allowance(for: later) == 1_250)
  #expect(bank.allowance(for: later, horizon: 1_024) == 2_000)
}

@Test func aSearchSpreadsSavingsOverItsHorizon() throws {
  let bank = TimeBank(milliseconds: 0.001)
  for _ in 0..<1_024 { bank.skip(later) }
  var settings = try searchSettings("average=50")
  for (horizon, allowance) in [(TimeBank.standardHorizon, 1_250), (1_024, 2_000)] {
    settings.horizon = horizon
    let search = Expectimax(smallNetwork(), settings: settings, bank: bank)
    #expect(search.memory.deadline(for: later, settings, start: 0) == UInt64(allowance))
  }
}

@Test func searchesOfOneGameMayShareABank() throws {
  let bank = TimeBank(milliseconds: 50)
  let searches = try ["average=50", "average=50,depth=3"].map {
    Expectimax(smallNetwork(), settings: try searchSettings($0), bank: bank)
  }
  for (number, search) in searches.enumerated() {
    let before = bank.saved
    // The only legal move: the search ends at once.
    _ = search.search(try Board(text: "1000200010002000"))
    #expect(bank.saved > before, "search \(number)")
  }
}

@Test func theMeanOfAnyBeginningKeepsToTheBudget() {
  let bank = TimeBank(milliseconds: 0.001)
  var spent: Int64 = 0
  for move in 1...20_000 {
    let allowed = bank.allowance(for: later)
    // Every third move takes all that it may, and overruns.
    let used = move % 3 == 0 ? allowed + 50 : min(allowed, 100)
    bank.settle(spent: used)
    spent += used
    if spent > 1_000 * Int64(move) + 50 {
      Issue.record("\(spent) ns after \(move) moves")
      return
    }
  }
  #expect(spent > 20_000 * 500, "savings are used")
}

/// A root whose moves are in the order of their numbers.
private func root() throws -> SearchRoot {
  let root = SearchRoot(
    try Board(text: "0000012002100000"), legal: 15, rules: .standard, hopelessValue: -.infinity)
  try #require(root.count == 4)
  return root
}

@Test func movesThatStayFarBehindAreDropped() throws {
  var root = try root()
  // The gaps of the third move change by at most 10, so a gap above 20 is far behind.
  for gap in [100.0, 105, 95] {
    let values = SIMD4(1_000, 1_000 - 15, 1_000 - gap, 1_000 - gap - 1)
    root.sort(by: values)
    root.dropMoves(farBehind: values)
  }
  #expect(root.active == 2)
  #expect(Set([root.order[0], root.order[1]]) == [0, 1])
}

@Test func nothingIsDroppedBeforeTwoChangesAreKnown() throws {
  var root = try root()
  let values = SIMD4(1_000.0, 0, 0, 0)
  for change in 0..<2 {
    let values = values - SIMD4(0, 1, 1, 1) * Double(change)
    root.sort(by: values)
    root.dropMoves(farBehind: values)
    #expect(root.active == 4)
  }
  root.dropMoves(farBehind: values)
  #expect(root.active == 1)
}

@Test func movesWhoseValuesStillChangeAreKept() throws {
  var root = try root()
  for gap in [100.0, 50, 120] {
    let values = SIMD4(1_000, 1_000 - gap, 1_000 - gap, 1_000 - gap)
    root.sort(by: values)
    root.dropMoves(farBehind: values)
  }
  #expect(root.active == 4)
}

// The table remembers the search of the move before, so the first passes of the next one change nothing.
@Test func passesThatOnlyRememberDecideNothing() throws {
  var root = try root()
  for gap in [100.0, 110, 110, 110, 110] {
    let values = SIMD4(1_000, 1_000 - gap, 1_000 - gap, 1_000 - gap)
    root.sort(by: values)
    root.dropMoves(farBehind: values)
  }
  #expect(root.active == 4)
}

@Test func theOnlyLegalMoveTakesNoTime() throws {
  let board = try Board(text: "1000200010002000")
  try #require(Rules.standard.legalDirections(from: board).count == 1)
  let search = Expectimax(smallNetwork(), settings: try searchSettings("average=1000"))
  let result = search.search(board)
  #expect(result.passes == 1 && result.best == .right)
}

// With a budget that never ends, dropped moves keep a value below the best one.
@Test func aDroppedMoveIsNeverTheBest() throws {
  for board in SampleBoards.random(20, largestExponent: 8) where !Rules.standard.isOver(board) {
    let search = Expectimax(smallNetwork(), settings: try searchSettings("average=5,depth=4"))
    let result = search.search(board)
    let best = try #require(result.best)
    for direction in Rules.standard.legalDirections(from: board) where direction != best {
      #expect(result.values[direction.rawValue] <= result.values[best.rawValue])
      #expect(result.values[direction.rawValue].isFinite)
    }
  }
}
