import Game2048

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
