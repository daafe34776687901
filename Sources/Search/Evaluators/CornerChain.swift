import Game2048

/// Tiles that fall away from a corner, along the rows and along the columns: the evaluator for searches beside tables
/// of chains.
///
/// A tile of exponent `e` is worth `w(e) = e · 2^e`. A line of exponents `e_0 … e_3`, read away from the corner, scores
/// ```
/// w(e_0) + Σ_i f(w(e_i), w(e_{i+1})),  f(a, b) = a + b if a > b, 3a if a = b, 12 · (a − b) if a < b
/// ```
/// The value is the sum over the rows, read from the better of their two ends, plus that over the columns. All rows are
/// read from the same end, and all columns.
///
/// A table holds the scores of lines of exponents up to 15. A board with a larger tile is scored line by line.
///
/// Source: macroxue, `2048-ai`.
public struct CornerChain: HandTunedEvaluator {
  public static let formula =
    "Σ over rows and columns, away from a corner, of w(e) of the first tile plus a + b for falling pairs of w(e), 3a for "
    + "equal ones and 12 · (a − b) for rising ones, with w(e) = e · 2^e"

  /// The scores of every line from its first and from its last cell.
  @usableFromInline let table: LineTable<SIMD2<Float>>

  private static let shared = LineTable(CornerChain.scores)

  /// Creates the evaluator. All instances share one table.
  public init() {
    table = CornerChain.shared
  }

  /// −2^19, which is −2.3 · w(14): below the value of any board except those whose large tiles are far out of order.
  @inlinable public var terminalValue: Double { -524_288 }

  /// Returns 2 · w(e) of the largest tile; −∞ if the board is worth less.
  ///
  /// So a search from a board whose tiles fall away from the corner goes no further where they no longer do.
  public func hopelessValue(from board: Board) -> Double {
    let exponent = board.largestTileExponent
    let least = Double(2 * exponent << exponent)
    return value(of: board) < least ? -.infinity : least
  }

  @inlinable
  @inline(__always)
  public func value(of afterstate: Board) -> Double {
    guard afterstate.highPlane == 0 else { return exactValue(of: afterstate) }
    let planes = afterstate.planes
    var rows = SIMD2<Float>.zero
    var columns = SIMD2<Float>.zero
    for line in 0..<UInt64(4) {
      rows += table.row(line, of: planes)
      columns += table.column(line, of: planes)
    }
    return Double(max(rows.x, rows.y) + max(columns.x, columns.y))
  }

  /// Returns the value of any board.
  @usableFromInline
  @inline(never)
  func exactValue(of board: Board) -> Double {
    var rows = SIMD2<Float>.zero
    var columns = SIMD2<Float>.zero
    for line in 0..<4 {
      rows += CornerChain.scores(ofLine: board.row(line))
      columns += CornerChain.scores(ofLine: board.column(line))
    }
    return Double(max(rows.x, rows.y) + max(columns.x, columns.y))
  }

  /// Returns the scores of a line of exponents from its first and from its last cell.
  static func scores(ofLine exponents: SIMD4<Int>) -> SIMD2<Float> {
    let worths = exponents &<< exponents
    var scores = SIMD2(Float(worths[0]), Float(worths[3]))
    for place in 0..<3 {
      scores.x += pairScore(worths[place], worths[place + 1])
      scores.y += pairScore(worths[place + 1], worths[place])
    }
    return scores
  }

  /// Returns the score of a tile and of the one behind it, as seen from the corner.
  private static func pairScore(_ near: Int, _ far: Int) -> Float {
    Float(near > far ? near + far : near == far ? 3 * near : 12 * (near - far))
  }
}
