import CIntrinsics

/// A 2048 board: sixteen cells, each empty or with a tile `1 << exponent`.
///
/// The board is stored as *bit planes*. Bit `16k + cell` of ``planes`` is bit `k` of the exponent of
/// `cell`, and ``highPlane`` holds bit 4, so that tiles up to 131072 (exponent 17) fit.
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

  /// The largest exponent of any board: tile 131072, which is the largest that a game can make.
  ///
  /// No game makes two of them. On a board that has two, they do not merge, so no move leads beyond it.
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

  /// A mask of the cells with tiles of ``largestExponent``, which do not merge.
  @inlinable
  @inline(__always)
  package var unmergeable: UInt16 {
    let pairs = planes | (planes >> 32)
    return UInt16(truncatingIfNeeded: pairs | (pairs >> 16)) & highPlane
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

extension Board {
  /// Returns the board with its largest tiles downgraded until the largest is below `1 << exponent`.
  ///
  /// One step is repeated as long as the largest tile is at least `1 << exponent`. The step finds the
  /// largest missing tile between 64 and the largest tile, and halves every tile above it. If none of
  /// these tiles is missing, the procedure ends early. Equal tiles stay equal and different tiles stay
  /// different, so the same moves are legal, except that two tiles of 131072 merge when they are halved. A network that has never seen the large tiles knows the
  /// downgraded board.
  ///
  /// Tiles below 64 do not count as missing. A downgraded board promises that the missing tile, once
  /// made, merges with the tile above it, which is not true on the real board. The smaller the missing
  /// tile, the sooner the promise is broken.
  ///
  /// Source: Guei, Chen and Wu, "Optimistic temporal difference learning for 2048", 2021, section V.
  /// They downgrade over any missing tile.
  public func downgraded(from exponent: Int) -> Board {
    downgraded(from: exponent) { _ in }
  }

  /// Returns the downgraded board, and calls `body` before every step.
  ///
  /// - Parameter body: Receives the level of the board, whose tiles above the missing one are halved.
  @inlinable
  @inline(__always)
  package func downgraded(from exponent: Int, _ body: (TileLevel) -> Void) -> Board {
    var board = self
    var largest = largestTileExponent
    while largest >= exponent {
      let (level, above) = board.tileLevel(largest: largest)
      body(level)
      if level.missing == TileLevel.noneMissing { break }
      board.halve(above)
      largest &-= 1
    }
    return board
  }

  /// The level of the board.
  package var tileLevel: TileLevel { tileLevel(largest: largestTileExponent).level }

  /// Returns the level of a board with this largest tile, and the cells of the tiles above the missing one.
  @inlinable
  @inline(__always)
  func tileLevel(largest: Int) -> (level: TileLevel, above: UInt16) {
    let cells = TileCells(of: self)
    var missing = largest
    var above: UInt16 = 0
    var cellsOfLast: UInt16 = 0
    while missing >= Board.leastMissingExponent {
      let cellsOfTile = cells[missing]
      if cellsOfTile == 0 { break }
      above |= cellsOfTile
      cellsOfLast = cellsOfTile
      missing &-= 1
    }
    let isPair = cellsOfLast & (cellsOfLast &- 1) != 0
    return (
      TileLevel(
        largest: largest, missing: missing,
        isRising: isPair && missing >= Board.leastMissingExponent), above
    )
  }

  /// The exponent of the smallest tile that counts as missing: 64.
  @inlinable package static var leastMissingExponent: Int { 6 }

  /// Subtracts 1 from the exponents of `cells` by a borrow through the planes.
  ///
  /// - Precondition: None of the exponents is 0.
  @usableFromInline
  mutating func halve(_ cells: UInt16) {
    var borrow = UInt64(cells)
    var halved: UInt64 = 0
    for bit in 0..<4 {
      let plane = planes >> UInt64(16 &* bit) & 0xFFFF
      halved |= (plane ^ borrow) << UInt64(16 &* bit)
      borrow &= ~plane
    }
    planes = halved
    highPlane ^= UInt16(truncatingIfNeeded: borrow)
  }
}

/// Where a board is on the way from its largest tile to the next.
///
/// On that way, a game makes all smaller tiles from the largest down, and the level falls each time. When
/// none is missing any more, they merge one after the other, and the level rises.
public struct TileLevel: Hashable, Sendable {
  /// ``missing`` of a board on which no tile from 64 on is missing.
  @inlinable public static var noneMissing: Int { 5 }

  /// The exponent of the largest tile.
  public let largest: Int
  /// The exponent of the largest missing tile from 64 on, or ``noneMissing``.
  public let missing: Int
  /// Whether the tile above the missing one is there twice, so that its merge raises the level.
  public let isRising: Bool

  @inlinable
  package init(largest: Int, missing: Int, isRising: Bool) {
    self.largest = largest
    self.missing = missing
    self.isRising = isRising
  }

  /// The level that usually comes next.
  package var next: TileLevel {
    if missing == largest - 1, isRising {
      return TileLevel(largest: largest + 1, missing: largest, isRising: false)
    }
    return if isRising || missing == TileLevel.noneMissing {
      TileLevel(largest: largest, missing: missing + 1, isRising: true)
    } else { TileLevel(largest: largest, missing: missing - 1, isRising: false) }
  }

  /// Returns the levels of boards with this largest tile, in the order in which a game meets them.
  package static func all(ofLargest largest: Int) -> [TileLevel] {
    let first = TileLevel(largest: largest, missing: largest - 1, isRising: false)
    return Array(sequence(first: first) { $0.next.largest == largest ? $0.next : nil })
  }
}

/// The cells that hold each tile of a board, found in a few operations per tile.
///
/// Searches use it for every board with a large tile that they value.
@usableFromInline
package struct TileCells: Sendable {
  /// Four masks of sixteen bits: mask `v` has the cells whose exponent has `v` in bits 0 and 1.
  @usableFromInline let byLowBits: UInt64
  /// Four masks of sixteen bits: mask `v` has the cells whose exponent has `v` in bits 2 and 3.
  @usableFromInline let byMiddleBits: UInt64
  @usableFromInline let highPlane: UInt16

  /// Prepares the look-up for one board.
  @inlinable
  @inline(__always)
  package init(of board: Board) {
    byLowBits = TileCells.byTwoBits(board.planes)
    byMiddleBits = TileCells.byTwoBits(board.planes &>> 32)
    highPlane = board.highPlane
  }

  /// A mask of the cells with this exponent.
  ///
  /// - Precondition: The exponent is in `0..<32`.
  @inlinable
  @inline(__always)
  package subscript(exponent: Int) -> UInt16 {
    let low = byLowBits &>> UInt64(truncatingIfNeeded: 16 &* (exponent & 3))
    let middle = byMiddleBits &>> UInt64(truncatingIfNeeded: 16 &* (exponent &>> 2 & 3))
    return UInt16(truncatingIfNeeded: low & middle)
      & (exponent & 16 == 0 ? ~highPlane : highPlane)
  }

  /// Returns four masks: mask `v` has the cells with `v` in the two lowest planes.
  @inlinable
  @inline(__always)
  static func byTwoBits(_ planes: UInt64) -> UInt64 {
    let everyPlace: UInt64 = 0x0001_0001_0001_0001
    // The plane four times, inverted for the values `v` in which its bit is 0.
    let first = (planes & 0xFFFF) &* everyPlace ^ 0x0000_FFFF_0000_FFFF
    let second = (planes &>> 16 & 0xFFFF) &* everyPlace ^ 0x0000_0000_FFFF_FFFF
    return first & second
  }
}
