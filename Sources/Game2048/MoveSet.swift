/// The afterstates and rewards of the four moves of one board, with one lane per direction.
///
/// The lane of a move that is not legal holds the unchanged board and a reward of 0.
public struct MoveSet: Sendable {
  /// The planes of the afterstates; the lane of a direction is its `Direction.rawValue`.
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
    afterstate(lane: direction.rawValue)
  }

  /// Returns a mask of the legal moves: bit `Direction.rawValue` is set if the move changes `board`.
  @inlinable
  @inline(__always)
  public func legalLanes(from board: Board) -> UInt8 {
    let high = highPlanes ^ SIMD4(repeating: board.highPlane)
    let changes = (planes ^ SIMD4(repeating: board.planes)) | SIMD4(truncatingIfNeeded: high)
    // Without branches, because a processor cannot predict well which moves are legal.
    let bits = SIMD4<UInt64>(1, 2, 4, 8).replacing(with: 0, where: changes .== 0)
    return UInt8(truncatingIfNeeded: bits.wrappedSum())
  }

  /// Returns the afterstate in `lane`, which is the raw value of a direction.
  ///
  /// - Precondition: `lane` is in `0..<4`.
  @inlinable
  public func afterstate(lane: Int) -> Board {
    Board(planes: planes[lane], highPlane: highPlanes[lane])
  }

  /// Returns the points of the move in `direction`.
  @inlinable
  public func reward(_ direction: Direction) -> Int {
    Int(rewards[direction.rawValue])
  }
}
