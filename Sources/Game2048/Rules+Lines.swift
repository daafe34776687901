/// One line of four cells after sliding it both ways.
///
/// A line has the order of the planes: bit `4k + i` is bit `k` of the exponent in place `i`.
@usableFromInline
package struct SlidLine: Sendable {
  /// The line after sliding towards its first cell: up for a column, left for a row.
  @usableFromInline package var towardsFirst: UInt16
  /// The line after sliding towards its last cell.
  @usableFromInline package var towardsLast: UInt16
  /// The points of the slide, which are the same both ways.
  @usableFromInline package var reward: Int32

  @inlinable
  init(towardsFirst: UInt16, towardsLast: UInt16, reward: Int32) {
    self.towardsFirst = towardsFirst
    self.towardsLast = towardsLast
    self.reward = reward
  }
}

extension Rules {
  /// Slides a line both ways.
  ///
  /// - Parameter line: The line in the order of the planes; see ``SlidLine``.
  /// - Precondition: No two 32768 tiles of the line merge.
  @inlinable
  @inline(__always)
  package func slid(line: UInt16) -> SlidLine {
    let entry = unsafe table.entries[Int(line)]
    return SlidLine(
      towardsFirst: entry.towardsFirst, towardsLast: entry.towardsLast,
      reward: Int32(truncatingIfNeeded: entry.reward))
  }
}
