/// The afterstates and rewards of the four moves of one board.
///
/// The number of a move is the `rawValue` of its direction. A move that is not legal has the unchanged board and a reward
/// of 0.
public struct MoveSet: Sendable {
  /// The planes of the afterstates, by the number of the move.
  public var planes: SIMD4<UInt64>
  /// The high planes of the afterstates.
  public var highPlanes: SIMD4<UInt16>
  /// The rewards in points.
  public var rewards: SIMD4<Int32>

  @inlinable
  init(planes: SIMD4<UInt64>, highPlanes: SIMD4<UInt16>, rewards: SIMD4<Int32>) {
    self.planes = planes
    self.highPlanes = highPlanes
    self.rewards = rewards
  }

  /// Returns the board after sliding in `direction`, before the spawn.
  @inlinable
  public func afterstate(_ direction: Direction) -> Board {
    afterstate(ofMove: direction.rawValue)
  }

  /// Returns a mask of the legal moves: bit n is set if move n changes `board`.
  @inlinable
  @inline(__always)
  public func legalMoves(from board: Board) -> UInt8 {
    let high = highPlanes ^ SIMD4(repeating: board.highPlane)
    let changes = (planes ^ SIMD4(repeating: board.planes)) | SIMD4(truncatingIfNeeded: high)
    // Without branches, because a processor cannot predict well which moves are legal.
    let bits = SIMD4<UInt64>(1, 2, 4, 8).replacing(with: 0, where: changes .== 0)
    return UInt8(truncatingIfNeeded: bits.wrappedSum())
  }

  /// Returns the afterstate of a move by its number.
  ///
  /// - Precondition: `move` is in `0..<4`.
  @inlinable
  public func afterstate(ofMove move: Int) -> Board {
    Board(planes: planes[move], highPlane: highPlanes[move])
  }

  /// Returns the points of the move in `direction`.
  @inlinable
  public func reward(_ direction: Direction) -> Int {
    Int(rewards[direction.rawValue])
  }
}
