/// The cells that hold each tile of a board, in a few operations a tile.
///
/// Searches ask it about every board with a large tile that they value.
public struct TileCells: Sendable {
  /// Sixteen bits for each value of the exponent's two lowest bits: the cells with these.
  @usableFromInline let byLowBits: UInt64
  /// The same for the two bits above.
  @usableFromInline let byMiddleBits: UInt64
  @usableFromInline let highPlane: UInt16

  @inlinable
  @inline(__always)
  public init(of board: Board) {
    byLowBits = TileCells.byTwoBits(board.planes)
    byMiddleBits = TileCells.byTwoBits(board.planes &>> 32)
    highPlane = board.highPlane
  }

  /// The cells with this exponent, a bit each.
  ///
  /// - Precondition: the exponent is in `0..<32`.
  @inlinable
  @inline(__always)
  public subscript(exponent: Int) -> UInt16 {
    let low = byLowBits &>> UInt64(truncatingIfNeeded: 16 &* (exponent & 3))
    let middle = byMiddleBits &>> UInt64(truncatingIfNeeded: 16 &* (exponent &>> 2 & 3))
    return UInt16(truncatingIfNeeded: low & middle)
      & (exponent & 16 == 0 ? ~highPlane : highPlane)
  }

  /// The cells with each value of the two bits in the lowest planes.
  @inlinable
  @inline(__always)
  static func byTwoBits(_ planes: UInt64) -> UInt64 {
    let everyPlace: UInt64 = 0x0001_0001_0001_0001
    // A plane in all four places, and inverted where its bit is to be 0.
    let first = (planes & 0xFFFF) &* everyPlace ^ 0x0000_FFFF_0000_FFFF
    let second = (planes &>> 16 & 0xFFFF) &* everyPlace ^ 0x0000_0000_FFFF_FFFF
    return first & second
  }
}
