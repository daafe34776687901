import CIntrinsics
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
///
/// Safety: (1) `table` points to 65,536 initialised entries that are never written again and never freed, so any thread
/// may read them at any time; (2) an index has as many bits as the masks have ones, which is 16, so it is in bounds by
/// construction.
@safe
public struct CornerChain: HandTunedEvaluator, @unchecked Sendable {
  public static let formula =
    "Σ over rows and columns, away from a corner, of w(e) of the first tile plus a + b for falling pairs of w(e), 3a for "
    + "equal ones and 12 · (a − b) for rising ones, with w(e) = e · 2^e"

  /// The scores of every line from its first and from its last cell. Bit `4k + i` of the index is bit `k` of the
  /// exponent in place `i`.
  @usableFromInline let table: UnsafePointer<SIMD2<Float>>

  private static let shared = CornerChain(fillingTable: ())

  /// Creates the evaluator. All instances share one table.
  public init() {
    self = CornerChain.shared
  }

  private init(fillingTable: Void) {
    let entries = UnsafeMutablePointer<SIMD2<Float>>.allocate(capacity: 1 << 16)
    for index in 0..<(1 << 16) {
      let line = SIMD4<Int>(0, 1, 2, 3)
      var exponents = SIMD4<Int>.zero
      for bit in 0..<4 {
        exponents |= ((SIMD4(repeating: index) &>> (line &+ 4 * bit)) & 1) &<< bit
      }
      unsafe (entries + index).initialize(to: CornerChain.scores(ofLine: exponents))
    }
    unsafe table = UnsafePointer(entries)
  }

  /// The negated score of two tiles of 16384 in order.
  @inlinable public var terminalValue: Double { -524_288 }

  @inlinable
  @inline(__always)
  public func value(of afterstate: Board) -> Double {
    guard afterstate.highPlane == 0 else { return exactValue(of: afterstate) }
    let planes = afterstate.planes
    var rows = SIMD2<Float>.zero
    var columns = SIMD2<Float>.zero
    for line in 0..<UInt64(4) {
      let row = ci_extract_bits(planes, 0x000F_000F_000F_000F << (4 &* line))
      let column = ci_extract_bits(planes, 0x1111_1111_1111_1111 << line)
      rows += unsafe table[Int(truncatingIfNeeded: row)]
      columns += unsafe table[Int(truncatingIfNeeded: column)]
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
      let first = 4 * line
      rows += CornerChain.scores(
        ofLine: SIMD4(board[first], board[first + 1], board[first + 2], board[first + 3]))
      columns += CornerChain.scores(
        ofLine: SIMD4(board[line], board[line + 4], board[line + 8], board[line + 12]))
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
