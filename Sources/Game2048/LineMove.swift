/// Slides one line of cells towards its first cell and merges equal neighbours, exactly, for any
/// exponents. The move table is built from it, and boards with very large tiles are played by it.
enum LineMove {
  /// The moved line and the points of the tiles made.
  ///
  /// - Parameter line: exponents from the side moved towards; 0 is an empty cell.
  /// - Returns: a line of the same length, and the reward in points.
  static func slide(_ line: [Int]) -> (line: [Int], reward: Int) {
    var result: [Int] = []
    var reward = 0
    var lastMayMerge = false
    for exponent in line where exponent != 0 {
      if lastMayMerge, result.last == exponent {
        result[result.count - 1] = exponent + 1
        reward += 1 << (exponent + 1)
        lastMayMerge = false
      } else {
        result.append(exponent)
        lastMayMerge = true
      }
    }
    result += Array(repeating: 0, count: line.count - result.count)
    return (result, reward)
  }
}
