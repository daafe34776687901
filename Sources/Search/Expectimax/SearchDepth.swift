import Game2048

/// The depth of a search in plies.
///
/// A search of one ply compares `rewardWeight · reward + value(afterstate)` of the moves; each
/// further ply adds one chance layer and one move layer.
public enum SearchDepth: Hashable, Sendable, CustomStringConvertible {
  /// A fixed number of plies.
  case plies(Int)
  /// max(4, distinct tiles − 1) plies: the more different tiles a board has, the deeper the search.
  ///
  /// Combine it with a cut by probability; without one it is far too slow.
  case auto

  /// The fixed depths that a PLAYER text can name.
  public static let range = 1...8

  /// Returns the plies to search from `board`.
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
