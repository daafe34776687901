import Basics
import Game2048
import TestSupport
import Testing

@testable import EndgameTables

@Suite struct ChainTests {
  private let directory: TemporaryDirectory
  private let tables: EndgameTables
  /// Chains that make a 32, with six and with five locked cells, and room for stray tiles.
  private let shapes = chainShapes.map {
    TableShape(locked: CellSet($0.locked), goal: $0.goal, target: .chain, margin: 16)!
  }

  init() throws {
    directory = try TemporaryDirectory()
    for shape in shapes {
      _ = try TableBuilder(shape, directory: directory.path, threads: 1).build { _ in }
    }
    tables = try EndgameTables(directory: directory.path, target: .chain)
  }

  /// Large tiles on the six locked cells, and these exponents on the others.
  private func board(_ column: [Int], _ rows: [Int], corner: Int = 9) -> Board {
    Board(
      exponents: [14, 13, 12, column[0], 11, 10, corner, column[1]] + rows)
  }

  @Test func chainsAndLimitsWorkedByHand() {
    for plan in ChainPlan.all {
      for chain in plan.chains {
        // The tiles of a chain add up to the goal, and each fits its cell.
        let sum = chain.filter { $0 > 0 }.reduce(0) { $0 + (16 >> $1) }
        #expect(sum == 16)
        for (cell, below) in chain.enumerated() where below > 0 {
          #expect(below >= plan.limits[cell] && plan.limits[cell] > 0)
        }
      }
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
    #expect(lead.probability > 0.1 && lead.goal == 5)
    #expect(lead.probabilities[lead.move.rawValue] == lead.probability)
  }

  @Test func leadsAreSymmetric() throws {
    let board = board([4, 3], [1, 0, 0, 1, 0, 1, 0, 0])
    let lead = try #require(tables.lead(on: board))
    for image in 0..<8 {
      let turned = Rules.standard.symmetries.image(image, of: board)
      let other = try #require(tables.lead(on: turned))
      #expect(other.probability == lead.probability && other.goal == lead.goal)
    }
  }

  @Test func fiveLockedTilesLeadOnlyIfTheyAreSafe() throws {
    // The sixth cell grows: 16 and 8 beside it; another 8 finishes the chain.
    let table = try #require(tables.tables.first { $0.shape.locked == shapes[1].locked })
    var (leads, risks) = (0, 0)
    for rest in 0..<81 {
      let digits = [rest % 3, rest / 3 % 3, rest / 9 % 3, rest / 27 % 3]
      let board = board(
        [digits[0], 3], [digits[1], 0, digits[2], 1, 0, 0, digits[3], 0], corner: 4)
      let lead = tables.lead(on: board)
      let moves = Rules.standard.moves(from: board)
      let best = Direction.allCases.map { direction -> Double in
        let afterstate = moves.afterstate(direction)
        guard afterstate != board, (0..<6).allSatisfy({ $0 == 3 || afterstate[$0] == board[$0] }),
          table.index.place(of: afterstate.planes) != nil
        else { return 0 }
        return table.index.hasChain(afterstate.planes)
          ? 1 : Double(table.value(ofPlanes: afterstate.planes) ?? 0) / EndgameTable.certain
      }.max()!
      #expect((lead != nil) == (best >= EndgameTables.safe), "\(board) \(best)")
      if lead != nil { leads += 1 } else { risks += 1 }
    }
    #expect(leads > 0 && risks > 0)
    // A finished chain needs a search that merges it.
    #expect(tables.lead(on: board([3, 3], [0, 0, 0, 0, 0, 0, 0, 0], corner: 4)) == nil)
  }

  @Test func largeGoalsLeadEarlierButOnlyTowardsTheGoal() throws {
    let large = EndgameTables(tables.tables, largeGoal: 5)
    var (earlier, waiting) = (0, 0)
    for rest in 0..<81 {
      let digits = [rest % 3, rest / 3 % 3, rest / 9 % 3, rest / 27 % 3]
      var board = board(
        [digits[0], 3], [digits[1], 0, digits[2], 1, 0, 0, digits[3], 0], corner: 4)
      if let lead = large.lead(on: board) {
        #expect(lead.probability >= EndgameTables.worthTrying)
        if tables.lead(on: board) == nil { earlier += 1 } else { waiting += 1 }
      } else {
        #expect(tables.lead(on: board) == nil)
      }
      (board[4], board[5]) = (board[5], board[4])
      #expect(large.lead(on: board) == nil, "the second row rises")
      #expect(large.lead(on: Rules.standard.symmetries.image(5, of: board)) == nil)
    }
    #expect(earlier > 0 && waiting > 0)
  }

  @Test func otherBoardsHaveNoLead() {
    #expect(tables.lead(on: Board()) == nil)
    // Equal neighbours in the block, a tile that is too large for its cell, and a seventh large tile.
    #expect(tables.lead(on: board([4, 3], [0, 0, 0, 1, 0, 0, 0, 1], corner: 10)) == nil)
    #expect(tables.lead(on: board([4, 4], [0, 0, 0, 1, 0, 0, 0, 1])) == nil)
    #expect(tables.lead(on: board([6, 3], [0, 0, 0, 1, 0, 0, 0, 1])) == nil)
  }

  @Test func kindsOfTablesAreToldApart() throws {
    #expect(tables.tables.allSatisfy { $0.shape.target == .chain })
    #expect(tables.tables.map(\.shape.name).sorted() == ["chain-0037-32", "chain-0077-32"])
    let error = #expect(throws: LocatedError.self) {
      try EndgameTables(directory: directory.path, target: .tile)
    }
    #expect(error?.kind == .missingInput)
    #expect(TableShape(locked: CellSet("####/##../..../....")!, goal: 5, target: .chain) == nil)
  }

  /// The exponents on the free cells of six locked ones.
  private func free(_ board: Board) -> [Int] {
    [3, 7, 8, 9, 10, 11, 12, 13, 14, 15].map { board[$0] }
  }
}
