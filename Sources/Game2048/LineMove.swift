/// The exact move of one line: it slides towards its first cell and merges equal neighbours.
///
/// It works for any exponents. It fills the move table, and moves lines with very large tiles.
enum LineMove {
  /// Slides a line.
  ///
  /// - Parameter line: The exponents, starting at the side that tiles slide to, with 0 for an empty
  ///   cell.
  /// - Returns: The line after the slide, and the reward in points.
  static func slide(_ line: SIMD4<Int>) -> (line: SIMD4<Int>, reward: Int) {
    let destinations = destinations(line)
    var result = SIMD4<Int>.zero
    var reward = 0
    for place in 0..<4 where line[place] != 0 {
      let destination = destinations[place]
      if result[destination] == 0 {
        result[destination] = line[place]
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
  static func destinations(_ line: SIMD4<Int>) -> SIMD4<Int> {
    var result = SIMD4<Int>.zero
    var count = 0
    var mergeable = 0
    for place in 0..<4 where line[place] != 0 {
      if line[place] == mergeable {
        mergeable = 0
      } else {
        mergeable = line[place]
        count += 1
      }
      result[place] = count - 1
    }
    return result
  }

  /// Returns the first `length` places in reverse order, followed by zeros.
  static func reversed(_ line: SIMD4<Int>, length: Int) -> SIMD4<Int> {
    var result = SIMD4<Int>.zero
    for place in 0..<length { result[place] = line[length - 1 - place] }
    return result
  }
}
