import CIntrinsics
import Game2048

/// The sum of the scores of the four rows and four columns: the strongest well-known hand-tuned
/// evaluator.
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
///
/// Safety: (1) `table` points to 65,536 initialised entries that are never written again and never
/// freed, so any thread may read them at any time; (2) an index has as many bits as the masks have
/// ones, which is 16, so it is in bounds by construction.
@safe
public struct RowScore: HandTunedEvaluator, @unchecked Sendable {
  public static let formula =
    "Σ over rows and columns of 200000 + 270 · empty cells + 700 · merges "
    + "− 47 · min(Σ rises of e^4, Σ falls of e^4) − 11 · Σ e^3.5"

  /// The score of every line. Bit `4k + i` of the index is bit `k` of the exponent in place `i`.
  @usableFromInline let table: UnsafePointer<Double>

  private static let shared = RowScore(fillingTable: ())

  /// Creates the evaluator. All instances share one table.
  public init() {
    self = RowScore.shared
  }

  private init(fillingTable: Void) {
    let entries = UnsafeMutablePointer<Double>.allocate(capacity: 1 << 16)
    for index in 0..<(1 << 16) {
      let line = SIMD4<Int>(0, 1, 2, 3)
      var exponents = SIMD4<Int>.zero
      for bit in 0..<4 {
        exponents |= ((SIMD4(repeating: index) &>> (line &+ 4 * bit)) & 1) &<< bit
      }
      unsafe (entries + index).initialize(to: RowScore.score(ofLine: exponents))
    }
    unsafe table = UnsafePointer(entries)
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
      let row = ci_extract_bits(planes, 0x000F_000F_000F_000F << (4 &* line))
      let column = ci_extract_bits(planes, 0x1111_1111_1111_1111 << line)
      rows += unsafe table[Int(truncatingIfNeeded: row)]
      columns += unsafe table[Int(truncatingIfNeeded: column)]
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
      let first = 4 * line
      rows += RowScore.score(
        ofLine: SIMD4(board[first], board[first + 1], board[first + 2], board[first + 3]))
      columns += RowScore.score(
        ofLine: SIMD4(board[line], board[line + 4], board[line + 8], board[line + 12]))
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
