import Game2048

/// Tables of tiles, and the look-up of any board in them.
///
/// A table may know a board if its locked cells, in one of the eight symmetries, hold exactly the tiles from its goal
/// on.
public struct EndgameTables: Sendable {
  /// The tables, the largest goal first.
  public let tables: [EndgameTable]
  /// The goals of the tables, the largest first.
  @usableFromInline let goals: [Int]
  /// `8 · table + image + 1` for a goal and the cells of large tiles, 0 without a table: `[goal, cells]`.
  @usableFromInline let places: CellMap

  /// The answer of a table.
  public struct Answer: Hashable, Sendable {
    /// The probability of the goal.
    public let probability: Double
    /// The exponent of the goal.
    public let goal: Int
    /// The cells of the locked tiles.
    public let locked: UInt16
  }

  /// Creates the look-up of some tables whose targets are tiles.
  ///
  /// - Precondition: There are fewer than 8,192, as `InputLimit.tables` ensures.
  package init(_ tables: [EndgameTable]) {
    self.tables = tables.sorted { $0.shape.goal > $1.shape.goal }
    var goals: [Int] = []
    for table in self.tables where goals.last != table.shape.goal { goals.append(table.shape.goal) }
    self.goals = goals
    places = CellMap(goals: goals.count)
    for (number, table) in self.tables.enumerated() {
      let goal = goals.firstIndex(of: table.shape.goal)!
      for cells in CellSet(table.shape.locked).images {
        // The image of a board in which its large tiles stand on the locked cells.
        let image = CellSet(cells).images.firstIndex(of: table.shape.locked)!
        places.set(UInt16(Symmetries.count * number + image + 1), goal: goal, cells: cells)
      }
    }
  }

  /// Returns what a table knows of a board after a move, before the spawn; nil if no table knows it.
  @inlinable
  @inline(__always)
  public func answer(to afterstate: Board) -> Answer? {
    for number in 0..<goals.count {
      let large = afterstate.cells(from: goals[number])
      let place = places.value(goal: number, cells: large)
      if place == 0 { continue }
      if let answer = answer(
        to: afterstate, large: large, goal: goals[number], place: Int(place) &- 1)
      {
        return answer
      }
    }
    return nil
  }

  @usableFromInline
  @inline(never)
  func answer(to board: Board, large: UInt16, goal: Int, place: Int) -> Answer? {
    let tiles = TileCells(of: board)
    for exponent in goal...Board.largestExponent {
      let cells = tiles[exponent]
      if cells & (cells &- 1) != 0 { return nil }
    }
    let planes = Rules.standard.symmetries.images(of: board.planes)[place % 8]
    guard let value = tables[place / 8].value(ofPlanes: planes) else { return nil }
    return Answer(
      probability: Double(value) / EndgameTable.certain, goal: goal, locked: large)
  }
}

extension Board {
  /// The cells with a tile of at least this exponent.
  ///
  /// - Precondition: The exponent is in `1...15`.
  @inlinable
  @inline(__always)
  func cells(from exponent: Int) -> UInt16 {
    var larger: UInt16 = 0
    var equal: UInt16 = .max
    for bit in (0..<4).reversed() {
      let plane = UInt16(truncatingIfNeeded: planes &>> UInt64(16 &* bit))
      if exponent &>> bit & 1 == 0 {
        larger |= equal & plane
        equal &= ~plane
      } else {
        equal &= plane
      }
    }
    return larger | equal | highPlane
  }
}

/// A number for each goal and each set of cells.
///
/// Safety: (1) `memory` has a number for each pair, lives as long as the map, and is written before the map is
/// shared; (2) a set of cells is a `UInt16`, and goals are counted from 0, so every index is in bounds.
@safe
@usableFromInline
struct CellMap: @unchecked Sendable {
  private let memory: LayerMemory<UInt16>
  @usableFromInline let numbers: UnsafeMutablePointer<UInt16>

  init(goals: Int) {
    memory = LayerMemory(count: goals << 16)
    unsafe numbers = memory.base
  }

  func set(_ value: UInt16, goal: Int, cells: UInt16) {
    unsafe memory.base[goal << 16 | Int(cells)] = value
  }

  @inlinable
  @inline(__always)
  func value(goal: Int, cells: UInt16) -> UInt16 {
    unsafe numbers[goal &<< 16 | Int(cells)]
  }
}
