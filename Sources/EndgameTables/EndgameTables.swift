import Basics
import Foundation
import Game2048

/// The tables of a directory with one kind of target, and the look-up of any board in them.
///
/// A table may know a board if its locked cells, in one of the eight symmetries, hold exactly the tiles from its goal
/// on. Tables of tiles answer with a probability, see ``answer(to:)``, and tables of chains with a move, see
/// ``lead(on:rules:)``.
public struct EndgameTables: Sendable {
  /// The tables, the largest goal first.
  public let tables: [EndgameTable]
  /// The goals of the tables, the largest first.
  @usableFromInline let goals: [Int]
  /// `8 · table + image + 1` for a goal and the cells of large tiles, 0 without a table: `[goal, cells]`.
  @usableFromInline let places: CellMap

  /// The exponent from which on a goal of chains is large.
  let largeGoal: Int

  /// The answer of a table.
  public struct Answer: Hashable, Sendable {
    /// The probability of the goal.
    public let probability: Double
    /// The exponent of the goal.
    public let goal: Int
    /// The cells of the locked tiles.
    public let locked: UInt16
  }

  /// Opens all tables of a directory that have a target.
  ///
  /// - Throws: `LocatedError` if there is none, or one cannot be read.
  public init(directory: String, target: TableShape.Target) throws {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    let paths = names.filter { ($0 as NSString).pathExtension == EndgameTable.fileExtension }
      .sorted().map { (directory as NSString).appendingPathComponent($0) }
    let tables = try paths.map { try EndgameTable(path: $0) }.filter { $0.shape.target == target }
    guard !tables.isEmpty else {
      let (kind, option) =
        target == .tile ? ("endgame tables", "") : ("tables of chains", " --chain")
      throw LocatedError(
        .missingInput, path: directory, "has no \(kind)",
        remedy: "build some with 'learn2048 tables build\(option)', or check the path")
    }
    self.init(tables)
  }

  /// Creates the look-up of some tables.
  ///
  /// - Parameters:
  ///   - tables: The tables, with one kind of target.
  ///   - largeGoal: The exponent from which on a goal of chains is large: 512 by default.
  package init(_ tables: [EndgameTable], largeGoal: Int = 9) {
    self.largeGoal = largeGoal
    self.tables = tables.sorted { $0.shape.goal > $1.shape.goal }
    var goals: [Int] = []
    for table in self.tables where goals.last != table.shape.goal { goals.append(table.shape.goal) }
    self.goals = goals
    places = CellMap(goals: goals.count)
    for (number, table) in self.tables.enumerated() {
      let goal = goals.firstIndex(of: table.shape.goal)!
      // The image of a board in which its large tiles stand on the locked cells.
      for cells in 0...UInt16.max where cells.nonzeroBitCount == table.shape.locked.nonzeroBitCount
      {
        if let image = CellSet(cells).images.firstIndex(of: table.shape.locked) {
          places.set(UInt16(8 * number + image + 1), goal: goal, cells: cells)
        }
      }
    }
  }

  /// The probability of a 4 that the tables were built for; nil if they differ.
  public var fourProbability: Double? {
    let found = Set(tables.map(\.shape.fourProbability))
    return found.count == 1 ? found.first : nil
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

// MARK: Chains

extension EndgameTables {
  /// A move that a table of chains recommends.
  public struct Lead: Hashable, Sendable {
    /// The move with the highest probability.
    public let move: Direction
    /// The probabilities of the chain after the moves up, down, left, right; 0 for a move that is not legal, or that
    /// moves a locked tile.
    public let probabilities: SIMD4<Double>
    /// The exponent of the goal.
    public let goal: Int

    /// The probability of the chain.
    public var probability: Double { probabilities.max() }
  }

  /// The probability from which on a table leads without asking those with smaller goals.
  public static let safe = 0.9
  /// The same for a large goal with five locked cells.
  public static let worthTrying = 0.1

  /// Returns the move that makes a chain most probably; nil if no table knows the board.
  ///
  /// The table with the largest goal leads if its probability is at least ``safe``. With five locked cells and a large
  /// goal it leads from ``worthTrying`` on, but only if the locked tiles fall towards the goal: making a large goal takes
  /// hundreds of moves, through which a table with little hope still plays better than a search, and in the wrong place
  /// they are lost. If no table leads like this, the most probable one does that needs all six cells of the block: with
  /// five, search is better.
  public func lead(on board: Board, rules: Rules = .standard) -> Lead? {
    var best: Lead?
    for (number, goal) in goals.enumerated() {
      let large = board.cells(from: goal)
      let place = Int(places.value(goal: number, cells: large)) - 1
      if place < 0 || board.hasMerge(on: large) { continue }
      let isLargeGoal = large.nonzeroBitCount == 5 && goal >= largeGoal
      if isLargeGoal, !ChainPlan.fallsTowardsGoal(rules.symmetries.image(place % 8, of: board)) {
        continue
      }
      guard let lead = lead(on: board, tables[place / 8], image: place % 8, locked: large, rules)
      else { continue }
      let least = isLargeGoal ? EndgameTables.worthTrying : EndgameTables.safe
      if lead.probability >= least { return lead }
      if large.nonzeroBitCount == 6, lead.probability > best?.probability ?? 0 { best = lead }
    }
    return best
  }

  /// Returns what one table says of the moves; nil if it does not know the board, or if its chain is finished.
  private func lead(
    on board: Board, _ table: EndgameTable, image: Int, locked: UInt16, _ rules: Rules
  ) -> Lead? {
    let symmetries = rules.symmetries
    let planes = symmetries.images(of: board.planes)[image]
    guard table.index.place(of: planes) != nil, !table.index.hasChain(planes) else { return nil }
    let moves = rules.moves(from: board)
    let kept = board.keeping(locked)
    var probabilities = SIMD4<Double>.zero
    for move in 0..<4 {
      let afterstate = moves.afterstate(ofMove: move)
      if afterstate == board || afterstate.keeping(locked) != kept { continue }
      probabilities[move] = table.chainProbability(
        ofPlanes: symmetries.images(of: afterstate.planes)[image])
    }
    let best = Direction.allCases.max {
      probabilities[$0.rawValue] < probabilities[$1.rawValue]
    }!
    guard probabilities[best.rawValue] > 0 else { return nil }
    return Lead(move: best, probabilities: probabilities, goal: table.shape.goal)
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
