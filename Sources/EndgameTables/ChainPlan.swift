import Game2048

/// A corner block of locked tiles, and the chains of falling tiles beside it that make the goal.
///
/// The tiles of a finished chain add up to the goal, and merge into it one after the other, next to the block. Until
/// then no free cell may hold more than a chain has there, so large tiles stay where they are needed.
///
/// Source: blocks, limits and chains are those of macroxue, `2048-ai`, here with a table for each goal.
struct ChainPlan: Sendable {
  /// The locked cells.
  let locked: CellSet
  /// By how much the exponent of the largest tile on each cell is below that of the goal; 0 for locked cells.
  let limits: [Int]
  /// By how much the exponents of a finished chain are below that of the goal; 0 for all other cells.
  let chains: [[Int]]

  /// Creates a plan from pictures of the board, in which a digit says by how much an exponent is below that of the goal.
  private init(locked: String, limits: String, chains: [String]) {
    self.locked = CellSet(locked)!
    self.limits = ChainPlan.numbers(limits)
    self.chains = chains.map(ChainPlan.numbers)
  }

  private static func numbers(_ picture: String) -> [Int] {
    picture.filter { $0 != "/" }.map { $0.wholeNumberValue ?? 0 }
  }

  /// Two rows of three locked cells. The chain runs along the row below them, or along the column beside them.
  static let sixLocked = ChainPlan(
    locked: "###./###./..../....", limits: "...1/...2/1233/3333",
    chains: [
      "..../..../1233/....", "..../..../123./..3.", "..../..../12../33..",
      "..../..../12../.33.", "...1/...2/..33/....", "...1/...2/...3/...3",
    ])

  /// The same without the last cell of the second row, in which the goal grows.
  static let fiveLocked = ChainPlan(
    locked: "###./##../..../....", limits: "...2/..12/2222/3333",
    chains: [
      "...2/..12/..../....", "..../..12/...2/....", "...2/..13/...3/....",
      "..../..1./.22./....", "..../..1./..22/....",
    ])

  static let all = [sixLocked, fiveLocked]

  /// Returns whether the second row falls towards the cell in which the goal of five locked cells grows, and the two
  /// locked tiles beside that cell differ: the goal then has one tile that it will merge with.
  ///
  /// - Parameter board: A board with large tiles on the locked cells, turned as the pictures are.
  static func fallsTowardsGoal(_ board: Board) -> Bool {
    board[4] > board[5] && board[2] != board[5]
  }

  /// The plan for some locked cells; nil if there is none.
  static func of(_ locked: UInt16) -> ChainPlan? { all.first { $0.locked.cells == locked } }

  /// The cells of a finished chain and their tiles, as bits of the planes of a board.
  struct Pattern: Sendable {
    let mask: UInt64
    let planes: UInt64
  }

  /// Returns the finished chains of a goal.
  func patterns(goal: Int) -> [Pattern] {
    chains.map { chain in
      var board = Board()
      var cells: UInt16 = 0
      for (cell, below) in chain.enumerated() where below > 0 {
        board[cell] = goal - below
        cells |= 1 << UInt16(cell)
      }
      return Pattern(mask: UInt64(cells) &* 0x0001_0001_0001_0001, planes: board.planes)
    }
  }
}
