import Game2048

/// The value of the largest tile, or 0 on the empty board.
public struct MaxTile: HandTunedEvaluator {
  public static let formula = "the largest tile"

  @inlinable public init() {}

  @inlinable
  public func value(of afterstate: Board) -> Double {
    let largest = afterstate.largestTileExponent
    return largest == 0 ? 0 : Double(1 << largest)
  }
}

/// 1 if a largest tile is in a corner of the 4 × 4 board, otherwise 0.
public struct MaxTileInCorner: HandTunedEvaluator {
  public static let formula = "1 if a largest tile stands in a corner, else 0"

  @inlinable public init() {}

  @inlinable
  public func value(of afterstate: Board) -> Double {
    let corners: UInt16 = 0b1001_0000_0000_1001
    let largest = afterstate.largestTile
    return largest.exponent > 0 && largest.cells & corners != 0 ? 1 : 0
  }
}
