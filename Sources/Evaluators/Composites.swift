import Game2048

/// `monotonicity + 0.1 · smoothness + 2.7 · emptyCells + maxTileInCorner`.
@frozen
public struct CompositeA: HandTunedEvaluator {
  @inlinable public init() {}

  @inlinable
  public func value(of afterstate: Board) -> Double {
    1.0 * Monotonicity().value(of: afterstate)
      + 0.1 * Smoothness().value(of: afterstate)
      + 2.7 * EmptyCells().value(of: afterstate)
      + 1.0 * MaxTileInCorner().value(of: afterstate)
  }
}

/// `monotonicity + 0.1 · smoothness + 5.7 · emptyCells + maxTile + maxTileInCorner + snakeLinear`.
@frozen
public struct CompositeB: HandTunedEvaluator {
  @inlinable public init() {}

  @inlinable
  public func value(of afterstate: Board) -> Double {
    let shape =
      1.0 * Monotonicity().value(of: afterstate)
      + 0.1 * Smoothness().value(of: afterstate)
      + 5.7 * EmptyCells().value(of: afterstate)
    let tiles =
      1.0 * MaxTile().value(of: afterstate)
      + 1.0 * MaxTileInCorner().value(of: afterstate)
      + SnakeLinear().value(of: afterstate)
    return shape + tiles
  }
}
