/// One line of four cells after sliding it both ways.
///
/// A line has the order of the planes: bit `4k + i` is bit `k` of the exponent in place `i`.
@usableFromInline
package struct SlidLine: Sendable {
  /// The line after sliding towards its first cell: up for a column, left for a row.
  @usableFromInline package let towardsFirst: UInt16
  /// The line after sliding towards its last cell.
  @usableFromInline package let towardsLast: UInt16
  /// The points of the slide, which are the same both ways.
  @usableFromInline package let reward: Int32
}

// The exact move of a line of any exponents, which fills the move table, and moves lines with very
// large tiles. A line starts at the side that tiles slide to, with 0 for an empty cell.
extension SIMD4<Int> {
  /// Returns the line after the slide, and the reward in points.
  func slid() -> (line: SIMD4<Int>, reward: Int) {
    let destinations = slideDestinations()
    var result = SIMD4<Int>.zero
    var reward = 0
    for place in 0..<4 where self[place] != 0 {
      let destination = destinations[place]
      if result[destination] == 0 {
        result[destination] = self[place]
      } else {
        result[destination] += 1
        reward += 1 << result[destination]
      }
    }
    return (result, reward)
  }

  /// Returns the place that each tile slides to, with 0 for an empty place.
  ///
  /// Two tiles that merge have the same destination.
  func slideDestinations() -> SIMD4<Int> {
    var result = SIMD4<Int>.zero
    var count = 0
    var mergeable = 0
    for place in 0..<4 where self[place] != 0 {
      if self[place] == mergeable {
        mergeable = 0
      } else {
        mergeable = self[place]
        count += 1
      }
      result[place] = count - 1
    }
    return result
  }

  /// Returns the first `length` places in reverse order, followed by zeros.
  func reversed(length: Int) -> SIMD4<Int> {
    var result = SIMD4<Int>.zero
    for place in 0..<length { result[place] = self[length - 1 - place] }
    return result
  }
}
