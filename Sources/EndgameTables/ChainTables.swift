import Game2048

/// Tables of chains, and the moves that they recommend.
///
/// There is at most one table for each block of locked cells. It plays all boards with such a block, whatever the locked
/// tiles are: its goal need not be the tile that merges next. A table with a large goal has the better moves, because
/// those that keep a large goal probable keep the board tidy. The probability of a small goal is nearly 1 after
/// almost every move.
public struct ChainTables: Sendable {
  /// The tables, with fewer locked cells first.
  let leaders: [Leader]

  /// A table with its plan.
  struct Leader: Sendable {
    let table: EndgameTable
    let plan: ChainPlan

    /// The probability above which the table leads.
    var least: Double { plan.goalCell == nil ? 0 : ChainTables.worthTrying }
  }

  /// The probability above which a table with five locked cells leads.
  ///
  /// Below it, one with six may still have a move.
  public static let worthTrying = 0.1

  /// Takes the table with the largest goal for each block.
  ///
  /// - Parameter tables: Tables whose targets are chains.
  package init(_ tables: [EndgameTable]) {
    leaders = ChainPlan.all.compactMap { plan in
      let tables = tables.filter { $0.shape.locked == plan.locked.cells }
      guard let table = tables.max(by: { $0.shape.goal < $1.shape.goal }) else { return nil }
      return Leader(table: table, plan: plan)
    }
  }

  /// A move that a table recommends.
  public struct Lead: Hashable, Sendable {
    /// The move with the highest probability.
    public let move: Direction
    /// The probabilities of the chain after the moves up, down, left, right; 0 for a move that is not legal, or that
    /// moves a locked tile.
    public let probabilities: SIMD4<Double>
    /// The number of locked cells. Only tests read it.
    let lockedCount: Int

    /// The probability of the chain.
    public var probability: Double { probabilities.max() }
  }

  /// Returns the move that makes a chain most probably; nil if no table plays the board.
  ///
  /// The table with five locked cells leads if its probability exceeds ``worthTrying``, otherwise the one with six.
  public func lead(on board: Board, rules: Rules = .standard) -> Lead? {
    for leader in leaders {
      var best: Lead?
      for image in 0..<Symmetries.count {
        let turned = rules.symmetries.image(image, of: board)
        guard leader.plan.applies(to: turned, goal: leader.table.shape.goal),
          let lead = lead(on: board, turned, leader, image: image, rules),
          lead.probability > best?.probability ?? leader.least
        else { continue }
        best = lead
      }
      if let best { return best }
    }
    return nil
  }

  /// Returns what a table says of the moves; nil if none of them leads to the chain.
  ///
  /// - Parameter turned: The image of the board that is turned as the pictures of the plan are.
  private func lead(
    on board: Board, _ turned: Board, _ leader: Leader, image: Int, _ rules: Rules
  ) -> Lead? {
    let locked = leader.plan.locked.cells
    let kept = turned.keeping(locked)
    let moves = rules.moves(from: board)
    var probabilities = SIMD4<Double>.zero
    for move in 0..<4 {
      let afterstate = rules.symmetries.image(image, of: moves.afterstate(ofMove: move))
      if afterstate == turned || afterstate.keeping(locked) != kept { continue }
      probabilities[move] = leader.table.chainProbability(ofPlanes: afterstate.planes)
    }
    let best = Direction.allCases.max {
      probabilities[$0.rawValue] < probabilities[$1.rawValue]
    }!
    guard probabilities[best.rawValue] > 0 else { return nil }
    return Lead(move: best, probabilities: probabilities, lockedCount: locked.nonzeroBitCount)
  }
}

extension Board {
  /// Returns whether two neighbours of some cells hold the same tile.
  func hasMerge(on cells: UInt16) -> Bool {
    for cell in 0..<Board.cellCount where cells >> UInt16(cell) & 1 == 1 {
      let (right, below) = (cell + 1, cell + 4)
      if cell % 4 < 3, cells >> UInt16(right) & 1 == 1, self[cell] == self[right] { return true }
      if cell < 12, cells >> UInt16(below) & 1 == 1, self[cell] == self[below] { return true }
    }
    return false
  }
}
