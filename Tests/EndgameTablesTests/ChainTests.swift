import Basics
import Game2048
import TestSupport
import Testing

@testable import EndgameTables

@Suite struct ChainTests {
  private let directory: TemporaryDirectory
  private let tables: ChainTables
  /// Chains that make a 32, with six and with five locked cells, and room for stray tiles.
  private let shapes = chainShapes.map {
    TableShape(locked: CellSet($0.locked), goal: $0.goal, target: .chain, margin: 16)!
  }

  init() throws {
    directory = try TemporaryDirectory()
    for shape in shapes {
      _ = try TableBuilder(shape, directory: directory.path, threads: 1).build { _ in }
    }
    tables = ChainTables(try EndgameTable.all(in: directory.path, target: .chain))
  }

  /// A block of six tiles, and these exponents on the other cells.
  private func board(_ column: [Int], _ rows: [Int], corner: Int = 5) -> Board {
    Board(
      exponents: [14, 13, 12, column[0], 11, 10, corner, column[1]] + rows)
  }

  @Test func chainsAndLimitsWorkedByHand() {
    for plan in ChainPlan.all {
      var excesses: [Int] = []
      for chain in plan.chains {
        // The tiles of a chain add up to the goal, and each fits its cell.
        let sum = chain.filter { $0 > 0 }.reduce(0) { $0 + (16 >> $1) }
        #expect(sum == 16)
        for (cell, below) in chain.enumerated() where below > 0 {
          if below < plan.limits[cell] { excesses.append(plan.limits[cell] - below) }
          #expect(plan.limits[cell] > 0)
        }
      }
      // Beside a goal cell, one chain has a tile twice as large, which fits while the next goal is small.
      #expect(excesses == (plan.goalCell == nil ? [] : [1]))
      for (cell, limit) in plan.limits.enumerated() {
        #expect((limit == 0) == (plan.locked.cells >> UInt16(cell) & 1 == 1))
      }
    }
    // 16 8 4 4 along the third row make a 32, and 16 8 4 down the column with a 4 beside the last.
    let patterns = ChainPlan.sixLocked.patterns(goal: 5)
    let row = board([0, 0], [4, 3, 2, 2, 0, 0, 0, 0]).planes
    let column = board([4, 3], [0, 0, 2, 2, 0, 0, 0, 0]).planes
    let short = board([4, 3], [0, 0, 0, 2, 0, 0, 0, 0]).planes
    #expect(patterns.count { row & $0.mask == $0.planes } == 1)
    #expect(patterns.count { column & $0.mask == $0.planes } == 1)
    #expect(patterns.allSatisfy { short & $0.mask != $0.planes })
  }

  @Test func aTableLeadsToTheMostProbableChain() throws {
    // Two 2s and another one, beside 16 and 8 in the column.
    let board = board([4, 3], [0, 0, 1, 1, 0, 0, 0, 1])
    let lead = try #require(tables.lead(on: board))
    let reference = ReferenceSolver(shapes[0])
    let moves = Rules.standard.moves(from: board)
    for direction in Direction.allCases {
      let afterstate = moves.afterstate(direction)
      let keeps = (0..<7).allSatisfy { $0 == 3 || afterstate[$0] == board[$0] }
      var expected = 0.0
      if afterstate != board, keeps, reference.fits(afterstate) {
        expected =
          reference.hasGoal(afterstate)
          ? 1 : reference.probability(after: reference.board(free(afterstate)))
      }
      #expect(abs(lead.probabilities[direction.rawValue] - expected) < 0.001, "\(direction)")
    }
    #expect(lead.probability > 0.1 && lead.lockedCount == 6)
    #expect(lead.probabilities[lead.move.rawValue] == lead.probability)
  }

  @Test func leadsAreSymmetric() throws {
    let board = board([4, 3], [1, 0, 0, 1, 0, 1, 0, 0])
    let lead = try #require(tables.lead(on: board))
    for image in 0..<8 {
      let turned = Rules.standard.symmetries.image(image, of: board)
      let other = try #require(tables.lead(on: turned))
      #expect(other.probability == lead.probability && other.lockedCount == lead.lockedCount)
    }
  }

  /// The probability of the best move that leaves five locked tiles where they are.
  private func probability(ofFiveLocked board: Board) throws -> Double {
    let table = try #require(tables.leaders.first { $0.plan.goalCell != nil }).table
    let moves = Rules.standard.moves(from: board)
    return Direction.allCases.map { direction -> Double in
      let afterstate = moves.afterstate(direction)
      guard afterstate != board, (0..<6).allSatisfy({ $0 == 3 || afterstate[$0] == board[$0] }),
        table.index.place(of: afterstate.planes) != nil
      else { return 0 }
      return table.index.hasChain(afterstate.planes)
        ? 1 : Double(table.value(ofPlanes: afterstate.planes) ?? 0) / EndgameTable.certain
    }.max()!
  }

  @Test func fiveLockedTilesLeadWhereTheGoalIsWorthTrying() throws {
    // The sixth cell grows: 16 and 8 beside it; another 8 finishes the chain.
    var (leads, risks) = (0, 0)
    for rest in 0..<81 {
      let digits = [rest % 3, rest / 3 % 3, rest / 9 % 3, rest / 27 % 3]
      let board = board(
        [digits[0], 3], [digits[1], 0, digits[2], 1, 0, 0, digits[3], 2], corner: 4)
      let lead = tables.lead(on: board)
      let expected = try probability(ofFiveLocked: board)
      let isLed = expected > ChainTables.worthTrying
      #expect((lead?.lockedCount == 5) == isLed, "\(board) \(expected)")
      if isLed { #expect(lead?.probability == expected) }
      if isLed { leads += 1 } else { risks += 1 }
      // A second row that rises or equal partners: the block is not in order.
      var rising = board
      (rising[4], rising[5]) = (board[5], board[4])
      #expect(tables.lead(on: rising)?.lockedCount != 5)
      let turned = Rules.standard.symmetries.image(5, of: rising)
      #expect(tables.lead(on: turned)?.lockedCount != 5)
      var equal = board
      equal[2] = equal[5]
      #expect(tables.lead(on: equal)?.lockedCount != 5)
    }
    #expect(leads > 0 && risks > 0)
    // A finished chain needs a search that merges it.
    #expect(tables.lead(on: board([3, 3], [0, 0, 0, 0, 0, 0, 0, 0], corner: 4)) == nil)
  }

  @Test func theLockedTilesNeedNotBeLarge() throws {
    // Beside an 8, with the same free cells as beside a 1024.
    let large = board([0, 2], [1, 0, 1, 0, 0, 0, 0, 1], corner: 0)
    var small = large
    for (cell, exponent) in zip([0, 1, 2, 4, 5], [7, 6, 5, 4, 3]) { small[cell] = exponent }
    let lead = try #require(tables.lead(on: small))
    #expect(lead.lockedCount == 5)
    #expect(lead.probabilities == (try #require(tables.lead(on: large))).probabilities)
    // Two 4s make the next 8 if one of them stands on the goal's cell, and a free 8 would merge with the locked one.
    var halves = small
    halves[6] = 2
    #expect(tables.lead(on: halves)?.lockedCount != 5)
    halves[7] = 1
    #expect(tables.lead(on: halves)?.lockedCount == 5)
    halves[10] = 3
    #expect(tables.lead(on: halves)?.lockedCount != 5)
    // The same beside six locked tiles: their chain for a 16 is finished.
    let finished = board([0, 0], [3, 2, 1, 1, 0, 0, 0, 0], corner: 4)
    #expect(tables.lead(on: finished)?.lockedCount != 6)
    #expect(tables.lead(on: board([0, 0], [3, 2, 1, 0, 0, 0, 0, 1], corner: 4)) != nil)
  }

  @Test func otherBoardsHaveNoLead() {
    #expect(tables.lead(on: Board()) == nil)
    // Equal neighbours in the block, a tile that is too large for its cell, a seventh large tile, and a block that waits
    // for more than the goal of the table.
    #expect(tables.lead(on: board([4, 3], [0, 0, 0, 1, 0, 0, 0, 1], corner: 10)) == nil)
    #expect(tables.lead(on: board([4, 4], [0, 0, 0, 1, 0, 0, 0, 1])) == nil)
    #expect(tables.lead(on: board([6, 3], [0, 0, 0, 1, 0, 0, 0, 1])) == nil)
    #expect(tables.lead(on: board([4, 3], [0, 0, 0, 1, 0, 0, 0, 1], corner: 6)) == nil)
  }

  @Test func theLargestGoalOfABlockLeads() throws {
    let shape = try #require(
      TableShape(locked: CellSet(shapes[0].locked), goal: 6, target: .chain, margin: 0))
    let table = try #require(
      try TableBuilder(shape, directory: directory.path, threads: 1).build { _ in })
    let all = try EndgameTable.all(in: directory.path, target: .chain)
    #expect(all.count == 3)
    let leaders = ChainTables(all).leaders
    #expect(leaders.map(\.table.path).contains(table.path) && leaders.count == 2)
    #expect(leaders.map(\.plan.locked.cells) == [0x37, 0x77])
  }

  @Test func kindsOfTablesAreToldApart() throws {
    let all = try EndgameTable.all(in: directory.path, target: .chain)
    #expect(all.allSatisfy { $0.shape.target == .chain })
    #expect(all.map(\.shape.name) == ["chain-0037-32", "chain-0077-32"])
    let error = #expect(throws: LocatedError.self) {
      try EndgameTable.all(in: directory.path, target: .tile)
    }
    #expect(error?.kind == .missingInput)
    #expect(TableShape(locked: CellSet("####/##../..../....")!, goal: 5, target: .chain) == nil)
  }

  /// The exponents on the free cells of six locked ones.
  private func free(_ board: Board) -> [Int] {
    [3, 7, 8, 9, 10, 11, 12, 13, 14, 15].map { board[$0] }
  }
}
