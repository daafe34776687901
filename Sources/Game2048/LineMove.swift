/// Slides one line of cells towards its first cell and merges equal neighbours, exactly, for any
/// exponents. The move table is built from it, and lines with very large tiles are moved by it.
enum LineMove {
  /// The moved line and the points of the tiles made.
  ///
  /// - Parameter line: exponents from the side moved towards; 0 is an empty cell.
  /// - Returns: the line, and the reward in points.
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

  /// The place that the tile of each place slides to; 0 for empty places. Two that merge share one.
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

  /// The first `length` places in reverse order; the others stay 0.
  static func reversed(_ line: SIMD4<Int>, length: Int) -> SIMD4<Int> {
    var result = SIMD4<Int>.zero
    for place in 0..<length { result[place] = line[length - 1 - place] }
    return result
  }
}
