import Game2048

/// A corner block of locked tiles, and the chains of falling tiles beside it that make the goal.
///
/// The tiles of a finished chain add up to the goal, and merge into it one after the other, next to the block. Until
/// then no free cell may hold more than a chain has there, so large tiles stay where they are needed.
///
/// Source: macroxue, `2048-ai`, for blocks, limits and chains, and for the boards that a table plays.
struct ChainPlan: Sendable {
  /// The locked cells.
  let locked: CellSet
  /// By how much the exponent of the largest tile on each cell is below that of the goal; 0 for locked cells.
  let limits: [Int]
  /// By how much the exponents of a finished chain are below that of the goal; 0 for all other cells.
  let chains: [[Int]]
  /// The locked cells whose tiles the goal will merge with.
  let partners: [Int]
  /// Pairs of cells; the tile on the first is larger.
  let falling: [(Int, Int)]
  /// The free cell in which the goal grows; nil if it grows at the start of a chain.
  let goalCell: Int?

  /// Creates a plan from pictures of the board, in which a digit says by how much an exponent is below that of the goal.
  private init(
    locked: String, limits: String, chains: [String], partners: [Int], falling: [(Int, Int)],
    goalCell: Int? = nil
  ) {
    self.locked = CellSet(locked)!
    self.limits = ChainPlan.numbers(limits)
    self.chains = chains.map(ChainPlan.numbers)
    (self.partners, self.falling, self.goalCell) = (partners, falling, goalCell)
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
    ],
    partners: [4, 5, 6], falling: [(2, 3)])

  /// The same without the last cell of the second row, in which the goal grows.
  static let fiveLocked = ChainPlan(
    locked: "###./##../..../....", limits: "...2/..12/2222/3333",
    chains: [
      "...2/..12/..../....", "..../..12/...2/....", "...2/..13/...3/....",
      "..../..1./.22./....", "..../..1./..22/....", "..../..1./..2./..2.",
    ],
    partners: [2, 5], falling: [(4, 5), (5, 6), (2, 6)], goalCell: 6)

  /// All plans, those with fewer locked cells first.
  static let all = [fiveLocked, sixLocked]

  /// The plan for some locked cells; nil if there is none.
  static func of(_ locked: UInt16) -> ChainPlan? { all.first { $0.locked.cells == locked } }

  /// Returns whether a table plays a board, turned as the pictures are.
  ///
  /// The locked tiles must be in order. The *next goal* is the smallest tile of the partners, at most the goal of the
  /// table: the free tiles must be within the limits for it, and none of its chains may be finished.
  ///
  /// - Parameter goal: The goal of the table.
  func applies(to board: Board, goal: Int) -> Bool {
    guard isInOrder(board) else { return false }
    let partner = partners.reduce(Int.max) { min($0, board[$1]) }
    if goalCell == nil {
      return partner <= goal && fits(board, goal: partner) && !isFinished(board, goal: partner)
    }
    // Beside a goal cell, half of the next goal may stand anywhere.
    return fits(board, goal: min(goal, partner + 1)) && !isFinished(board, goal: min(goal, partner))
  }

  /// Returns whether all cells of the block are taken, no neighbours on it are equal, and its tiles fall as they should.
  private func isInOrder(_ board: Board) -> Bool {
    board.keeping(locked.cells).occupied == locked.cells && !board.hasMerge(on: locked.cells)
      && falling.allSatisfy { board[$0] > board[$1] }
      && (goalCell == nil || board[partners[0]] != board[partners[1]])
  }

  /// Returns whether no free cell holds more than its limit for a goal.
  private func fits(_ board: Board, goal: Int) -> Bool {
    limits.indices.allSatisfy { limits[$0] == 0 || board[$0] <= max(0, goal - limits[$0]) }
  }

  /// Returns whether a chain for a goal is finished, or half of the goal stands on its cell and on another one.
  ///
  /// - Precondition: The free tiles fit a goal, so none of them is above 32768.
  private func isFinished(_ board: Board, goal: Int) -> Bool {
    if let goalCell, board[goalCell] == goal - 1,
      limits.indices.contains(where: {
        $0 != goalCell && limits[$0] > 0 && board[$0] == goal - 1
      })
    {
      return true
    }
    return patterns(goal: goal).contains { board.planes & $0.mask == $0.planes }
  }

  /// The cells of a finished chain and their tiles, as bits of the planes of a board.
  struct Pattern: Sendable {
    let mask: UInt64
    let planes: UInt64
  }

  /// Returns the finished chains of a goal. Where a tile would be smaller than 2, the cell is empty.
  func patterns(goal: Int) -> [Pattern] {
    chains.map { chain in
      var board = Board()
      var cells: UInt16 = 0
      for (cell, below) in chain.enumerated() where below > 0 {
        board[cell] = max(0, goal - below)
        cells |= 1 << UInt16(cell)
      }
      return Pattern(mask: UInt64(cells) &* 0x0001_0001_0001_0001, planes: board.planes)
    }
  }
}
