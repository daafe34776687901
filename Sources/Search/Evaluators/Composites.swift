import Game2048

/// `monotonicity + 0.1 · smoothness + 2.7 · emptyCells + maxTileInCorner`.
public struct CompositeA: HandTunedEvaluator {
  public static let formula = "monotonicity + 0.1 · smoothness + 2.7 · emptyCells + maxTileInCorner"

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
public struct CompositeB: HandTunedEvaluator {
  public static let formula =
    "monotonicity + 0.1 · smoothness + 5.7 · emptyCells + maxTile + maxTileInCorner + snakeLinear"

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
