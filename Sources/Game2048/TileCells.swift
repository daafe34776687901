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
