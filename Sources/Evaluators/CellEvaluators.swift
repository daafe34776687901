import Game2048

/// The number of empty cells.
@frozen
public struct EmptyCells: HandTunedEvaluator {
  @inlinable public init() {}

  @inlinable
  public func value(of afterstate: Board) -> Double {
    Double(Board.cellCount - afterstate.tileCount)
  }
}

/// The value of the largest tile; 0 on the empty board.
@frozen
public struct MaxTile: HandTunedEvaluator {
  @inlinable public init() {}

  @inlinable
  public func value(of afterstate: Board) -> Double {
    let largest = afterstate.largestExponentAndCells.exponent
    return largest == 0 ? 0 : Double(1 << largest)
  }
}

/// 1 if a largest tile stands in a corner of the 4 × 4 board, else 0.
@frozen
public struct MaxTileInCorner: HandTunedEvaluator {
  @inlinable public init() {}

  @inlinable
  public func value(of afterstate: Board) -> Double {
    let corners: UInt16 = 0b1001_0000_0000_1001
    let largest = afterstate.largestExponentAndCells
    return largest.exponent > 0 && largest.cells & corners != 0 ? 1 : 0
  }
}

extension Board {
  /// The exponent of the largest tile and a mask of the cells that hold it; (0, all) when empty.
  @inlinable
  var largestExponentAndCells: (exponent: Int, cells: UInt16) {
    // From the highest plane down, keep the cells that have the bit, if any has it.
    var cells: UInt16 = .max
    var exponent = 0
    if highPlane != 0 {
      cells = highPlane
      exponent = 16
    }
    for bit in stride(from: 3, through: 0, by: -1) {
      let withBit = cells & UInt16(truncatingIfNeeded: planes >> UInt64(16 * bit))
      if withBit != 0 {
        cells = withBit
        exponent |= 1 << bit
      }
    }
    return (exponent, cells)
  }
}
