import Game2048

/// The number of empty cells.
public struct EmptyCells: HandTunedEvaluator {
  public static let formula = "the number of empty cells"

  @inlinable public init() {}

  @inlinable
  public func value(of afterstate: Board) -> Double {
    Double(Board.cellCount - afterstate.tileCount)
  }
}

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

/// The negated sum of the differences between adjacent tiles: `−Σ |v_a − v_b|`, in tile values.
///
/// The sum runs over the 24 pairs of horizontally or vertically adjacent cells that both hold a
/// tile.
public struct Smoothness: HandTunedEvaluator {
  public static let formula = "−Σ abs(v − w) over adjacent tiles v, w"

  @inlinable public init() {}

  @inlinable
  public func value(of afterstate: Board) -> Double {
    var difference = 0
    for cell in 0..<Board.cellCount {
      let exponent = afterstate[cell]
      if exponent == 0 { continue }
      if cell % 4 < 3 { difference += distance(exponent, afterstate[cell + 1]) }
      if cell < 12 { difference += distance(exponent, afterstate[cell + 4]) }
    }
    return -Double(difference)
  }

  /// Returns the difference of two adjacent tiles, or 0 if the neighbour is empty.
  @inlinable
  func distance(_ exponent: Int, _ neighbour: Int) -> Int {
    neighbour == 0 ? 0 : abs((1 << exponent) - (1 << neighbour))
  }
}

/// The negated deviation of the rows and columns from monotonic order, in exponents; at most 0.
///
/// The value is `max(increasing, decreasing)` of the rows plus the same of the columns. For
/// neighbouring tiles of a line, skipping empty cells, a rising pair adds `e − eNext` to *increasing*
/// and a falling pair adds `eNext − e` to *decreasing*. Both totals run over all four lines before
/// the maximum is taken.
public struct Monotonicity: HandTunedEvaluator {
  public static let formula =
    "−min(Σ rises, Σ falls) of all rows plus the same of all columns, in exponents, without empty cells"

  @inlinable public init() {}

  @inlinable
  public func value(of afterstate: Board) -> Double {
    let rows = Monotonicity.total(of: afterstate, lineStep: 4, placeStep: 1)
    let columns = Monotonicity.total(of: afterstate, lineStep: 1, placeStep: 4)
    return Double(rows + columns)
  }

  /// Returns the part of four parallel lines; cell `place` of `line` is
  /// `line · lineStep + place · placeStep`.
  @inlinable
  static func total(of board: Board, lineStep: Int, placeStep: Int) -> Int {
    var increasing = 0
    var decreasing = 0
    for line in 0..<4 {
      var previous = 0
      for place in 0..<4 {
        let exponent = board[line * lineStep + place * placeStep]
        if exponent == 0 { continue }
        if previous != 0 {
          increasing += min(0, previous - exponent)
          decreasing += min(0, exponent - previous)
        }
        previous = exponent
      }
    }
    return max(increasing, decreasing)
  }
}

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
