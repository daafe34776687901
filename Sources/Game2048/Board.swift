import CIntrinsics

/// A 2048 board: sixteen cells, each empty or with a tile `1 << exponent`.
///
/// The board is stored as *bit planes*. Bit `16k + cell` of ``planes`` is bit `k` of the exponent of
/// `cell`, and ``highPlane`` holds bit 4, so that tiles up to 131072 (exponent 17) and beyond fit.
/// Cells are numbered row by row, starting with cell 0 in the upper left corner. With planes, the
/// index of an n-tuple is one bit extraction, a symmetry is a few shifts of the board, and the empty
/// cells follow from a few OR operations.
public struct Board: Hashable, Sendable {
  /// Bits 0 to 3 of every exponent: four planes of sixteen bits, with plane 0 in the lowest bits.
  public var planes: UInt64
  /// Bit 4 of every exponent, which is set only for tiles of 65536 and above.
  public var highPlane: UInt16

  @inlinable
  public init() {
    self.init(planes: 0, highPlane: 0)
  }

  @inlinable
  public init(planes: UInt64, highPlane: UInt16 = 0) {
    self.planes = planes
    self.highPlane = highPlane
  }

  /// Creates a board from sixteen exponents, row by row.
  ///
  /// - Precondition: `exponents` has 16 elements, each in `0..<32`.
  public init(exponents: some Collection<Int>) {
    precondition(exponents.count == Board.cellCount, "a board has 16 cells")
    self.init()
    for (cell, exponent) in exponents.enumerated() { self[cell] = exponent }
  }

  /// The number of stored cells, also for boards smaller than 4 × 4.
  public static let cellCount = 16

  /// The largest exponent that a game can reach and a text can express: tile 131072.
  public static let largestExponent = 17

  /// The exponent in `cell`, or 0 if the cell is empty.
  ///
  /// - Precondition: `cell` is in `0..<16`, and a new exponent is in `0..<32`.
  @inlinable
  public subscript(cell: Int) -> Int {
    get {
      precondition(0 <= cell && cell < 16, "a cell is in 0..<16")
      let low = ci_extract_bits(planes >> UInt64(cell), 0x0001_0001_0001_0001)
      return Int(low) | Int((highPlane >> UInt16(cell)) & 1) << 4
    }
    set {
      precondition(0 <= cell && cell < 16, "a cell is in 0..<16")
      precondition(0 <= newValue && newValue < 32, "an exponent is in 0..<32")
      let mask: UInt64 = 0x0001_0001_0001_0001 << UInt64(cell)
      planes = (planes & ~mask) | ci_deposit_bits(UInt64(newValue & 15), mask)
      highPlane = (highPlane & ~(1 << UInt16(cell))) | (UInt16(newValue >> 4) << UInt16(cell))
    }
  }

  /// The sixteen exponents, row by row.
  public var exponents: [Int] {
    (0..<Board.cellCount).map { self[$0] }
  }

  /// The sixteen tile values, row by row, with 0 for an empty cell.
  public var tiles: [Int] {
    exponents.map { $0 == 0 ? 0 : 1 << $0 }
  }

  /// A mask of the cells that hold a tile: bit `cell` stands for `cell`.
  @inlinable
  public var occupied: UInt16 {
    let pairs = planes | (planes >> 32)
    return UInt16(truncatingIfNeeded: pairs | (pairs >> 16)) | highPlane
  }

  /// The number of tiles.
  @inlinable
  public var tileCount: Int { occupied.nonzeroBitCount }

  /// Returns the first cell that holds a tile on this board but not on `before`, which is the cell of
  /// a tile that has just spawned.
  ///
  /// - Precondition: There is such a cell.
  package func cellAdded(to before: Board) -> Int {
    (occupied & ~before.occupied).trailingZeroBitCount
  }

  /// The exponent of the largest tile, or 0 on the empty board.
  @inlinable
  public var largestTileExponent: Int { largestTile.exponent }

  /// The exponent of the largest tile and a mask of the cells that hold it, or (0, all cells) on the
  /// empty board.
  @inlinable
  public var largestTile: (exponent: Int, cells: UInt16) {
    // From the highest bit down: if any candidate has the bit, only those that have it remain.
    var cells = highPlane == 0 ? 0xFFFF : highPlane
    var exponent = highPlane == 0 ? 0 : 16
    for bit in (0..<4).reversed() {
      let withBit = cells & UInt16(truncatingIfNeeded: planes &>> UInt64(16 &* bit))
      if withBit != 0 {
        cells = withBit
        exponent |= 1 &<< bit
      }
    }
    return (exponent, cells)
  }

  /// The planes with every exponent above 15 replaced by 15, for tables with 16 values per cell.
  @inlinable
  package var saturatedPlanes: UInt64 {
    planes | (UInt64(highPlane) &* 0x0001_0001_0001_0001)
  }

  /// Whether every move stays within the four planes: no exponent is above 15, and at most one is 15.
  @inlinable
  package var fitsFourPlanesAfterAnyMove: Bool {
    let pairs = planes & (planes >> 32)
    let fifteens = UInt16(truncatingIfNeeded: pairs & (pairs >> 16))
    return highPlane == 0 && fifteens & (fifteens &- 1) == 0
  }
}

/// A direction of a move. Moves are tried in the order of the cases.
public enum Direction: Int, CaseIterable, Sendable {
  case up, down, left, right
}
