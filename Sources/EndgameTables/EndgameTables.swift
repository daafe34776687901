import Basics
import Foundation
import Game2048

/// The tables of a directory, and the look-up of any board in them.
///
/// A board is answered by the table with the largest goal whose locked cells, in one of the eight symmetries,
/// hold exactly the tiles from the goal on, all different.
public struct EndgameTables: Sendable {
  /// The tables, the largest goal first.
  public let tables: [EndgameTable]
  /// The goals of the tables, the largest first, with the way to their tables.
  private let ways: [Way]

  /// The tables of one goal by the cells of the large tiles.
  private struct Way: Sendable {
    let goal: Int
    /// `8 · table + image + 1` for the cells of large tiles; 0 without a table.
    var places: [UInt16]
  }

  /// The answer of a table.
  public struct Answer: Hashable, Sendable {
    /// The probability of the goal.
    public let probability: Double
    /// The exponent of the goal.
    public let goal: Int
    /// The cells of the locked tiles.
    public let locked: UInt16
  }

  /// Opens all tables of a directory.
  ///
  /// - Throws: `LocatedError` if there is none, or one cannot be read.
  public init(directory: String) throws {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    let paths = names.filter { ($0 as NSString).pathExtension == EndgameTable.fileExtension }
      .sorted().map { (directory as NSString).appendingPathComponent($0) }
    guard !paths.isEmpty else {
      throw LocatedError(
        .missingInput, path: directory, "has no endgame tables",
        remedy: "build some with 'learn2048 tables build', or check the path")
    }
    self.init(try paths.map { try EndgameTable(path: $0) })
  }

  init(_ tables: [EndgameTable]) {
    self.tables = tables.sorted { $0.shape.goal > $1.shape.goal }
    var ways: [Way] = []
    for (number, table) in self.tables.enumerated() {
      if ways.last?.goal != table.shape.goal {
        ways.append(Way(goal: table.shape.goal, places: Array(repeating: 0, count: 1 << 16)))
      }
      // The image of a board in which its large tiles stand on the locked cells.
      for cells in 0...UInt16.max where cells.nonzeroBitCount == table.shape.locked.nonzeroBitCount
      {
        if let image = CellSet(cells).images.firstIndex(of: table.shape.locked) {
          ways[ways.count - 1].places[Int(cells)] = UInt16(8 * number + image + 1)
        }
      }
    }
    self.ways = ways
  }

  /// The probability of a 4 that the tables were built for; nil if they differ.
  public var fourProbability: Double? {
    let found = Set(tables.map(\.shape.fourProbability))
    return found.count == 1 ? found.first : nil
  }

  /// Returns what a table knows of a board after a move, before the spawn; nil if no table knows it.
  @inline(__always)
  public func answer(to afterstate: Board) -> Answer? {
    for way in ways {
      let large = afterstate.cells(from: way.goal)
      let place = Int(way.places[Int(large)])
      if place == 0 { continue }
      if let answer = answer(to: afterstate, large: large, goal: way.goal, place: place - 1) {
        return answer
      }
    }
    return nil
  }

  @inline(never)
  private func answer(to board: Board, large: UInt16, goal: Int, place: Int) -> Answer? {
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
  @inline(__always)
  func cells(from exponent: Int) -> UInt16 {
    var larger: UInt16 = 0
    var equal: UInt16 = .max
    for bit in (0..<4).reversed() {
      let plane = UInt16(truncatingIfNeeded: planes &>> UInt64(16 &* bit))
      if exponent >> bit & 1 == 0 { larger |= equal & plane } else { equal &= plane }
      if exponent >> bit & 1 == 0 { equal &= ~plane }
    }
    return larger | equal | highPlane
  }
}
