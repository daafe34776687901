/// The afterstates and rewards of all four moves of one board, one lane a direction.
///
/// A move that is not legal leaves its lane equal to the board it came from; its reward is 0.
public struct MoveSet: Sendable {
  /// The planes of the afterstates, lane `Direction.rawValue`.
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

  /// The board after sliding in `direction`, before the spawn.
  @inlinable
  public func afterstate(_ direction: Direction) -> Board {
    afterstate(lane: direction.rawValue)
  }

  /// A bit for every direction that changes `board`, the one these moves start from.
  @inlinable
  @inline(__always)
  public func legalLanes(from board: Board) -> UInt8 {
    let high = highPlanes ^ SIMD4(repeating: board.highPlane)
    let changes = (planes ^ SIMD4(repeating: board.planes)) | SIMD4(truncatingIfNeeded: high)
    // No branch: which moves are legal is hard to predict.
    let bits = SIMD4<UInt64>(1, 2, 4, 8).replacing(with: 0, where: changes .== 0)
    return UInt8(truncatingIfNeeded: bits.wrappedSum())
  }

  /// The same by the direction's raw value.
  ///
  /// - Precondition: `lane` is in `0..<4`.
  @inlinable
  public func afterstate(lane: Int) -> Board {
    Board(planes: planes[lane], highPlane: highPlanes[lane])
  }

  /// The points earned by moving in `direction`.
  @inlinable
  public func reward(_ direction: Direction) -> Int {
    Int(rewards[direction.rawValue])
  }
}
