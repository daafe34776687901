import CIntrinsics
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

/// The scores of all lines of four exponents up to 15.
///
/// A table is made once and never freed, so keep it in a static property.
///
/// Safety: (1) `entries` points to 65,536 initialised scores that are never written again and never freed, so any thread
/// may read them at any time; (2) an index has as many bits as the masks have ones, which is 16, so it is in bounds by
/// construction.
@safe
@usableFromInline
struct LineTable<Score: Sendable>: @unchecked Sendable {
  /// The score of every line. Bit `4k + i` of the index is bit `k` of the exponent in place `i`.
  @usableFromInline let entries: UnsafePointer<Score>

  /// Creates the table of a function of lines.
  init(_ score: (SIMD4<Int>) -> Score) {
    let entries = UnsafeMutablePointer<Score>.allocate(capacity: 1 << 16)
    for index in 0..<(1 << 16) {
      let line = SIMD4<Int>(0, 1, 2, 3)
      var exponents = SIMD4<Int>.zero
      for bit in 0..<4 {
        exponents |= ((SIMD4(repeating: index) &>> (line &+ 4 * bit)) & 1) &<< bit
      }
      unsafe (entries + index).initialize(to: score(exponents))
    }
    unsafe self.entries = UnsafePointer(entries)
  }

  /// Returns the score of a row of a board whose tiles are at most 32768.
  @inlinable
  @inline(__always)
  func row(_ line: UInt64, of planes: UInt64) -> Score {
    let index = ci_extract_bits(planes, 0x000F_000F_000F_000F << (4 &* line))
    return unsafe entries[Int(truncatingIfNeeded: index)]
  }

  /// Returns the score of a column of a board whose tiles are at most 32768.
  @inlinable
  @inline(__always)
  func column(_ line: UInt64, of planes: UInt64) -> Score {
    let index = ci_extract_bits(planes, 0x1111_1111_1111_1111 << line)
    return unsafe entries[Int(truncatingIfNeeded: index)]
  }
}

extension Board {
  /// The exponents of a row, from the left.
  func row(_ line: Int) -> SIMD4<Int> {
    let first = 4 * line
    return SIMD4(self[first], self[first + 1], self[first + 2], self[first + 3])
  }

  /// The exponents of a column, from the top.
  func column(_ line: Int) -> SIMD4<Int> {
    SIMD4(self[line], self[line + 4], self[line + 8], self[line + 12])
  }
}
