import CIntrinsics
import Game2048

extension NTupleNetwork {
  /// Returns an equivalent network without redundant patterns, whose cells are part of a larger pattern.
  ///
  /// Small patterns beside large ones quickly learn what many boards have in common (Jaśkowski 2017,
  /// redundant encoding). Once learned, their weights can be added to those of a larger pattern. Both
  /// are summed over the same eight symmetries, so no value changes except for rounding.
  ///
  /// - Precondition: The network has one stage.
  /// - Complexity: O(*n*) for each folded pattern, where *n* is the number of entries of the larger
  ///   pattern.
  public func folded() -> NTupleNetwork {
    precondition(shape.stages.count == 1, "stages read through entries that are not set")
    let patterns = shape.patterns
    let hosts = patterns.indices.map { host(of: $0) }
    let kept = patterns.indices.filter { hosts[$0] == nil }
    let result = NTupleNetwork(
      NetworkShape(
        patterns: kept.map { patterns[$0] }, boardSize: shape.boardSize,
        downgrading: shape.downgrading))
    result.levelOffsets = levelOffsets
    for (place, original) in kept.enumerated() {
      let (own, other) = (result.shape.tableOffsets[place], shape.tableOffsets[original])
      for entry in 0..<patterns[original].entryCount {
        result.weights[own + entry] = weights[other + entry]
      }
    }
    for (pattern, host) in hosts.enumerated() {
      guard let host else { continue }
      // A host is never folded itself: a larger pattern with its cells would be the host instead.
      fold(pattern, into: host, at: kept.firstIndex(of: host)!, of: result)
    }
    return result
  }

  /// Returns the index of the pattern into which the pattern at `place` can be folded, or nil.
  ///
  /// It has all cells of that pattern, in some symmetry, and others. If there are several, it is the
  /// first of the largest.
  private func host(of place: Int) -> Int? {
    let patterns = shape.patterns
    let cells = Set(patterns[place].cells)
    return patterns.indices.filter { other in
      patterns[other].cells.count > cells.count
        && patterns[other].images(boardSize: shape.boardSize).contains { cells.isSubset(of: $0) }
    }.max { patterns[$0].cells.count < patterns[$1].cells.count }
  }

  /// Adds the weights of a pattern to those of its host in `result`.
  private func fold(_ pattern: Int, into host: Int, at place: Int, of result: NTupleNetwork) {
    let small = unsafe tables[pattern].mask
    let large = unsafe tables[host].mask
    // The symmetry that moves some cells of the host onto all cells of the pattern. Under it, an
    // entry of the host determines the entry of the pattern.
    let all = symmetries.images(of: large)
    let image = (0..<Symmetries.count).first { all[$0] & small == small }!
    let (from, to) = (shape.tableOffsets[pattern], result.shape.tableOffsets[place])
    for entry in 0..<shape.patterns[host].entryCount {
      let images = symmetries.images(of: ci_deposit_bits(UInt64(entry), large))
      result.weights[to + entry] += weights[from + index(small, images[image])]
    }
  }
}
