import Game2048

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
