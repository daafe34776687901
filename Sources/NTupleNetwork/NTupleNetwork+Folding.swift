import CIntrinsics
import Game2048

extension NTupleNetwork {
  /// The same network without its redundant patterns: those that see nothing which a larger one does
  /// not see as well.
  ///
  /// Small patterns beside large ones learn quickly what many boards have in common (Jaśkowski 2017,
  /// redundant encoding). Once learned, their weights can be added to those of a larger pattern: both
  /// are summed over the same eight symmetries, so no value changes, but for rounding.
  ///
  /// - Precondition: there is one stage.
  /// - Complexity: O(entries of the larger patterns), for each pattern that is folded.
  public func folded() -> NTupleNetwork {
    precondition(shape.stages.count == 1, "stages read through entries that are not set")
    let patterns = shape.patterns
    let hosts = patterns.indices.map { host(of: $0) }
    let kept = patterns.indices.filter { hosts[$0] == nil }
    let result = NTupleNetwork(
      NetworkShape(
        patterns: kept.map { patterns[$0] }, boardSize: shape.boardSize,
        downgrading: shape.downgrading))
    for (place, original) in kept.enumerated() {
      let (own, other) = (result.shape.tableOffsets[place], shape.tableOffsets[original])
      for entry in 0..<patterns[original].entryCount {
        result.weights[own + entry] = weights[other + entry]
      }
    }
    for (pattern, host) in hosts.enumerated() {
      guard let host else { continue }
      // No larger pattern sees all that a host sees, or it would be the host.
      fold(pattern, into: host, at: kept.firstIndex(of: host)!, of: result)
    }
    return result
  }

  /// The pattern, by its place, that sees all that the pattern at `place` sees, and more: the largest
  /// one, and the first of these.
  private func host(of place: Int) -> Int? {
    let patterns = shape.patterns
    let cells = Set(patterns[place].cells)
    return patterns.indices.filter { other in
      patterns[other].cells.count > cells.count
        && patterns[other].images(boardSize: shape.boardSize).contains { cells.isSubset(of: $0) }
    }.max { patterns[$0].cells.count < patterns[$1].cells.count }
  }

  /// Adds the weights of a pattern to those of its host in another network.
  private func fold(_ pattern: Int, into host: Int, at place: Int, of result: NTupleNetwork) {
    let small = unsafe tables[pattern].mask
    let large = unsafe tables[host].mask
    // The image of a board with tiles in all of the host's cells that has them in all of the
    // pattern's: under it, what the host reads of a board tells what the pattern reads.
    let all = symmetries.images(of: large)
    let image = (0..<Symmetries.count).first { all[$0] & small == small }!
    let (from, to) = (shape.tableOffsets[pattern], result.shape.tableOffsets[place])
    for entry in 0..<shape.patterns[host].entryCount {
      let images = symmetries.images(of: ci_deposit_bits(UInt64(entry), large))
      result.weights[to + entry] += weights[from + index(small, images[image])]
    }
  }
}
