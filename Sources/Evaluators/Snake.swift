import Game2048

/// Exponents weighted along a path that winds through the rows: `Σ e · w`.
///
/// The weights `w` are
/// ```
/// 15 14 13 12
///  8  9 10 11
///  7  6  5  4
///  0  1  2  3
/// ```
public struct SnakeLinear: HandTunedEvaluator {
  public static let formula =
    "Σ e · w: exponents times weights from 15 to 0 along a path that winds through the rows"

  @inlinable public init() {}

  @inlinable
  public func value(of afterstate: Board) -> Double {
    var sum = 0
    for cell in 0..<Board.cellCount { sum += afterstate[cell] * snakeWeight(of: cell) }
    return Double(sum)
  }
}

/// Tile values weighted by powers of two along the path of ``SnakeLinear``: `Σ v · 2^w`.
///
/// Searches of two plies or more back up single-precision floats, so they compare only the 24 leading
/// bits. The end of the path then counts only if its beginning holds small tiles.
public struct SnakeExponential: HandTunedEvaluator {
  public static let formula = "Σ v · 2^w: tiles times powers of two along the path of snakeLinear"

  @inlinable public init() {}

  @inlinable
  public func value(of afterstate: Board) -> Double {
    var sum = 0
    for cell in 0..<Board.cellCount {
      let exponent = afterstate[cell]
      if exponent != 0 { sum += 1 << (exponent + snakeWeight(of: cell)) }
    }
    return Double(sum)
  }
}

/// Returns the place of `cell` on the path, from 15 in the upper left to 0 in the lower left corner.
@inlinable
func snakeWeight(of cell: Int) -> Int {
  // In rows 0 and 2 weights fall with the cell number; in rows 1 and 3 they rise.
  let row = cell / 4
  return row % 2 == 0 ? 15 - cell : 12 - 4 * row + cell % 4
}
