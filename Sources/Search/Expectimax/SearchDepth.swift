import Game2048

/// How far a search looks ahead, in plies.
///
/// One ply compares `rewardWeight · reward + value(afterstate)` of the moves; each further ply adds
/// one chance layer and one move layer.
public enum SearchDepth: Hashable, Sendable, CustomStringConvertible {
  /// So many plies from every board.
  case plies(Int)
  /// More plies the more different tiles the board has: max(4, distinct tiles − 1).
  ///
  /// Meant to go with a cut-off by probability; without one it is far too slow.
  case auto

  /// The numbers of plies that can be asked for.
  public static let range = 1...8

  /// The plies to search from `board`.
  @inlinable
  public func plies(from board: Board) -> Int {
    switch self {
    case .plies(let plies): return plies
    case .auto:
      var seen: UInt32 = 0
      for cell in 0..<Board.cellCount { seen |= 1 << UInt32(board[cell]) }
      return max(4, (seen & ~1).nonzeroBitCount - 1)
    }
  }

  public var description: String {
    switch self {
    case .plies(let plies): "\(plies)"
    case .auto: "auto"
    }
  }
}
