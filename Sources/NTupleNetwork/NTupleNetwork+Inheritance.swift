import CIntrinsics
import Dispatch

// What a network has learned of a board says much of the same board with larger tiles. But an entry
// that no update has reached is 0, so the first boards with a new largest tile look worthless, and the
// player avoids making it.

extension NTupleNetwork {
  /// Gives entries with a tile of at least 256 that no update has reached the weights of smaller tiles.
  ///
  /// An entry inherits from the one in which all tiles above the largest value that it lacks are halved,
  /// as tile downgrading does with boards, if that one has been updated. It stays one that no update has
  /// reached, so the next call gives it what is known by then, and its first update moves it with
  /// coherence 1. Of the stages, only the first inherits: the others read as the one before them.
  ///
  /// - Parameter coherence: what tells which entries have been updated.
  /// - Precondition: no worker runs; `coherence` belongs to a network of this shape.
  /// - Complexity: O(entries), over all cores.
  public func inheritWeights(_ coherence: TemporalCoherence) {
    precondition(coherence.shape == shape)
    let parts = 8
    DispatchQueue.concurrentPerform(iterations: tableCount * parts) { job in
      let (table, part) = job.quotientAndRemainder(dividingBy: parts)
      let cellCount = shape.patterns[table].cells.count
      let entries = unsafe tables[table].entries
      let magnitudes = unsafe coherence.absoluteErrors.base + (entries - weights.base)
      let count = 1 << (4 * cellCount)
      for index in (part * count / parts)..<((part + 1) * count / parts) {
        // Whoever inherits is not inherited from, so the order does not matter.
        guard unsafe ci_load_relaxed(magnitudes + index) == 0,
          let source = IndexLayout.downgraded(index, cellCount: cellCount),
          unsafe ci_load_relaxed(magnitudes + source) != 0
        else { continue }
        unsafe ci_store_relaxed(entries + index, ci_load_relaxed(entries + source))
      }
    }
  }
}

extension IndexLayout {
  /// The memory index of the same cells with all tiles above the largest value that is missing halved.
  ///
  /// Nil if no tile reaches 256, or if no value below the largest is missing.
  @inline(__always)
  static func downgraded(_ index: Int, cellCount: Int) -> Int? {
    let cells = 1 << cellCount - 1
    let planes = (
      index & cells, index >> cellCount & cells, index >> (2 * cellCount) & cells,
      index >> (3 * cellCount)
    )
    guard planes.3 != 0 else { return nil }
    func cellsShowing(_ value: Int) -> Int {
      let (p0, p1) = (value & 1 != 0 ? planes.0 : ~planes.0, value & 2 != 0 ? planes.1 : ~planes.1)
      let (p2, p3) = (value & 4 != 0 ? planes.2 : ~planes.2, value & 8 != 0 ? planes.3 : ~planes.3)
      return p0 & p1 & p2 & p3 & cells
    }
    var value = Pattern.valuesPerCell - 1
    while cellsShowing(value) == 0 { value -= 1 }
    var halved = 0
    while value > 0, cellsShowing(value) != 0 {
      halved |= cellsShowing(value)
      value -= 1
    }
    guard value > 0 else { return nil }
    // One less in every cell that is halved: a borrow through the planes.
    let borrow1 = halved & ~planes.0
    let borrow2 = borrow1 & ~planes.1
    let borrow3 = borrow2 & ~planes.2
    return (planes.0 ^ halved) | (planes.1 ^ borrow1) << cellCount
      | (planes.2 ^ borrow2) << (2 * cellCount) | (planes.3 ^ borrow3) << (3 * cellCount)
  }
}
