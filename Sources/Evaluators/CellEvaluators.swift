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
    let largest = afterstate.largestTileExponent
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
    let largest = afterstate.largestTile
    return largest.exponent > 0 && largest.cells & corners != 0 ? 1 : 0
  }
}
