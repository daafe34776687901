import Game2048

/// The large tiles of a board: all tiles from a goal on, if they are all different.
///
/// Tiles that are all different merge with nothing before the goal is made. So they can stay where they
/// are, and what happens on the other cells, the free ones, depends on nothing else.
public struct LockedTiles: Hashable, Sendable {
  /// The cells of the large tiles: bit `cell` stands for `cell`.
  public let cells: UInt16

  /// Finds the large tiles of a board; nil if two of them are equal.
  ///
  /// - Parameter goal: The exponent of the goal.
  public init?(of board: Board, goal: Int) {
    let tiles = TileCells(of: board)
    var cells: UInt16 = 0
    for exponent in goal...Board.largestExponent {
      let found = tiles[exponent]
      if found & (found &- 1) != 0 { return nil }
      cells |= found
    }
    self.cells = cells
  }

  /// The number of cells without a large tile.
  public var freeCellCount: Int { Board.cellCount - cells.nonzeroBitCount }
}

/// A set of cells of the 4 × 4 board: bit `cell` stands for `cell`.
public struct CellSet: Hashable, Sendable {
  public let cells: UInt16

  public init(_ cells: UInt16) { self.cells = cells }

  /// Reads four rows of `#` for a cell of the set and `.` for another, such as `####/##../..../....`; nil if
  /// the text is something else.
  public init?(_ text: String) {
    let rows = text.split(separator: "/", omittingEmptySubsequences: false)
    guard rows.count == 4, rows.allSatisfy({ $0.count == 4 }) else { return nil }
    var cells: UInt16 = 0
    for (cell, character) in rows.joined().enumerated() {
      switch character {
      case "#": cells |= 1 << UInt16(cell)
      case ".": break
      default: return nil
      }
    }
    self.cells = cells
  }

  /// The images under the eight symmetries of the board, in the order of `Symmetries`.
  public var images: [UInt16] {
    let images = Rules.standard.symmetries.images(of: UInt64(cells))
    return (0..<Symmetries.count).map { UInt16(truncatingIfNeeded: images[$0]) }
  }

  /// The image that represents all images: the smallest number.
  public var canonical: CellSet { CellSet(images.min()!) }
}

extension CellSet: CustomStringConvertible {
  /// The four rows, as `init(_:)` reads them.
  public var description: String {
    (0..<4).map { row in
      String((0..<4).map { cells >> UInt16(4 * row + $0) & 1 == 1 ? "#" : "." })
    }.joined(separator: "/")
  }
}
