import CIntrinsics

/// A 2048 board: sixteen cells, each empty or holding a tile `1 << exponent`.
///
/// The board is stored as *bit planes*. Bit `16k + cell` of ``planes`` is bit `k` of the exponent of
/// `cell`, and ``highPlane`` holds bit 4, so that tiles up to 131072 (exponent 17) and beyond fit.
/// Cells are numbered row by row, cell 0 in the upper left corner. The planes make the index of an
/// n-tuple one bit extraction, a symmetry a few shifts of the whole board, and the empty cells a
/// fold of the planes.
public struct Board: Hashable, Sendable {
  /// Bits 0 to 3 of every exponent, sixteen bits a plane, lowest plane lowest.
  public var planes: UInt64
  /// Bit 4 of every exponent: set only for tiles of 65536 and more.
  public var highPlane: UInt16

  /// The empty board.
  @inlinable
  public init() {
    self.init(planes: 0, highPlane: 0)
  }

  /// A board from its planes.
  @inlinable
  public init(planes: UInt64, highPlane: UInt16 = 0) {
    self.planes = planes
    self.highPlane = highPlane
  }

  /// A board from sixteen exponents, row by row.
  ///
  /// - Precondition: `exponents` has 16 elements, each in `0..<32`.
  public init(exponents: some Collection<Int>) {
    precondition(exponents.count == Board.cellCount, "a board has 16 cells")
    self.init()
    for (cell, exponent) in exponents.enumerated() { self[cell] = exponent }
  }

  /// The number of cells of the storage, whatever part of it a smaller game uses.
  public static let cellCount = 16

  /// The largest exponent that text forms and a game can hold: tile 131072.
  public static let largestExponent = 17

  /// The exponent in `cell`; 0 means empty.
  ///
  /// - Precondition: `cell` is in `0..<16`, and a new exponent in `0..<32`.
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

  /// The sixteen tile values, row by row; 0 where a cell is empty.
  public var tiles: [Int] {
    exponents.map { $0 == 0 ? 0 : 1 << $0 }
  }

  /// A mask of the cells that hold a tile, bit `cell` for `cell`.
  @inlinable
  public var occupied: UInt16 {
    let pairs = planes | (planes >> 32)
    return UInt16(truncatingIfNeeded: pairs | (pairs >> 16)) | highPlane
  }

  /// The number of tiles.
  @inlinable
  public var tileCount: Int { occupied.nonzeroBitCount }

  /// The first cell that holds a tile here and none in `before`: where a tile has spawned on that.
  ///
  /// - Precondition: there is one.
  public func cellAdded(to before: Board) -> Int {
    (occupied & ~before.occupied).trailingZeroBitCount
  }

  /// The exponent of the largest tile, 0 on the empty board.
  @inlinable
  public var largestTileExponent: Int { largestTile.exponent }

  /// The exponent of the largest tile, and a mask of the cells that hold it; (0, all) on the empty board.
  @inlinable
  public var largestTile: (exponent: Int, cells: UInt16) {
    // Bit by bit from the highest: the cells that have it, if any do, are those that go on.
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

  /// The planes with every exponent above 15 replaced by 15, as tables of 16 values per cell need them.
  @inlinable
  public var saturatedPlanes: UInt64 {
    planes | (UInt64(highPlane) &* 0x0001_0001_0001_0001)
  }

  /// Whether no exponent is above 15 and at most one is 15, so that no move leaves the four planes.
  @inlinable
  public var fitsFourPlanesAfterAnyMove: Bool {
    let pairs = planes & (planes >> 32)
    let fifteens = UInt16(truncatingIfNeeded: pairs & (pairs >> 16))
    return highPlane == 0 && fifteens & (fifteens &- 1) == 0
  }
}

/// The four moves, in the order in which they are tried.
public enum Direction: Int, CaseIterable, Sendable {
  case up, down, left, right
}
