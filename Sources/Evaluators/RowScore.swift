import Game2048

/// The sum of the scores of the four rows and four columns.
///
/// A line of exponents `e_0 … e_3` scores
/// ```
/// 200000 + 270·empties + 700·merges − 47·min(monoLeft, monoRight) − 11·Σ e^3.5
/// ```
/// where `monoLeft` sums `e_{i−1}^4 − e_i^4` over falling neighbours and `monoRight` the opposite
/// over rising neighbours (an empty cell has exponent 0). `merges` is the number of tiles in runs of
/// two or more equal tiles, skipping empty cells.
///
/// A table holds the scores of lines of exponents up to 15. A board with a larger tile is scored line
/// by line.
///
/// Source: nneonneo, `2048-ai`, whose weights were found by CMA-ES.
public struct RowScore: HandTunedEvaluator {
  public static let formula =
    "Σ over rows and columns of 200000 + 270 · empty cells + 700 · merges "
    + "− 47 · min(Σ rises of e^4, Σ falls of e^4) − 11 · Σ e^3.5"

  @usableFromInline let table: LineTable<Double>

  private static let shared = LineTable(RowScore.score)

  /// Creates the evaluator. All instances share one table.
  public init() {
    table = RowScore.shared
  }

  /// 0, as in nneonneo's program: below the value of any board except those whose large tiles are far
  /// out of order.
  @inlinable public var terminalValue: Double { 0 }

  @inlinable
  @inline(__always)
  public func value(of afterstate: Board) -> Double {
    afterstate.highPlane == 0 ? tableValue(of: afterstate.planes) : exactValue(of: afterstate)
  }

  /// Returns the value of a board whose tiles are at most 32768.
  @inlinable
  @inline(__always)
  func tableValue(of planes: UInt64) -> Double {
    var rows = 0.0
    var columns = 0.0
    for line in 0..<UInt64(4) {
      rows += table.row(line, of: planes)
      columns += table.column(line, of: planes)
    }
    return rows + columns
  }

  /// Returns the value of any board.
  @usableFromInline
  @inline(never)
  func exactValue(of board: Board) -> Double {
    var rows = 0.0
    var columns = 0.0
    for line in 0..<4 {
      rows += RowScore.score(ofLine: board.row(line))
      columns += RowScore.score(ofLine: board.column(line))
    }
    return rows + columns
  }

  /// Returns the score of one line of exponents.
  static func score(ofLine exponents: SIMD4<Int>) -> Double {
    var empties = 0
    var merges = 0
    var powers = 0.0
    var previousTile = 0
    var run = 1
    for place in 0..<4 {
      let exponent = exponents[place]
      if exponent == 0 {
        empties += 1
        continue
      }
      let e = Double(exponent)
      powers += e * e * e * e.squareRoot()
      run = exponent == previousTile ? run + 1 : 1
      // The second tile of a run counts the first one too.
      if run > 1 { merges += run == 2 ? 2 : 1 }
      previousTile = exponent
    }
    let fourth = exponents &* exponents &* exponents &* exponents
    var monoLeft = 0
    var monoRight = 0
    for place in 1..<4 {
      monoLeft += max(0, fourth[place - 1] - fourth[place])
      monoRight += max(0, fourth[place] - fourth[place - 1])
    }
    let whole = 200_000 + 270 * empties + 700 * merges - 47 * min(monoLeft, monoRight)
    return Double(whole) - 11 * powers
  }
}
