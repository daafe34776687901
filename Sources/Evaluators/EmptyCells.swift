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
