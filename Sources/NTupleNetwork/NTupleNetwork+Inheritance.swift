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
  /// - Parameter updates: a table that is not 0 where an entry has been updated, in the order of the weights.
  /// - Precondition: no worker runs; there is a number for every weight.
  /// - Complexity: O(entries), over all cores.
  public func inheritWeights(updated updates: SharedWeights) {
    precondition(updates.count == weights.count, "a number for every weight")
    let parts = 8
    DispatchQueue.concurrentPerform(iterations: tableCount * parts) { job in
      let (table, part) = job.quotientAndRemainder(dividingBy: parts)
      let cellCount = shape.patterns[table].cells.count
      let entries = unsafe tables[table].entries
      let updated = unsafe updates.base + (entries - weights.base)
      let count = 1 << (4 * cellCount)
      for source in (part * count / parts)..<((part + 1) * count / parts)
      where unsafe ci_load_relaxed(updated + source) != 0 {
        // Whoever inherits is not inherited from, and each from one only, so the order does not matter.
        IndexLayout.forEachDoubled(source, cellCount: cellCount) { index in
          if unsafe ci_load_relaxed(updated + index) == 0 {
            unsafe ci_store_relaxed(entries + index, ci_load_relaxed(entries + source))
          }
        }
      }
    }
  }
}

extension IndexLayout {
  /// Calls `body` with the memory indices of what inherits from an entry: the same cells with all tiles from
  /// some value on doubled, for each value that is there with all between it and the largest.
  ///
  /// That value is then the largest that is missing, so halving what is above it gives `index` again. Calls it
  /// only where a tile reaches 256.
  @inline(__always)
  static func forEachDoubled(_ index: Int, cellCount: Int, _ body: (Int) -> Void) {
    let cells = 1 << cellCount - 1
    let planes = (
      index & cells, index >> cellCount & cells, index >> (2 * cellCount) & cells,
      index >> (3 * cellCount)
    )
    func cellsShowing(_ value: Int) -> Int {
      let (p0, p1) = (value & 1 != 0 ? planes.0 : ~planes.0, value & 2 != 0 ? planes.1 : ~planes.1)
      let (p2, p3) = (value & 4 != 0 ? planes.2 : ~planes.2, value & 8 != 0 ? planes.3 : ~planes.3)
      return p0 & p1 & p2 & p3 & cells
    }
    guard planes.3 | planes.2 & planes.1 & planes.0 != 0 else { return }
    var value = Pattern.valuesPerCell - 1
    while cellsShowing(value) == 0 { value -= 1 }
    // 32768 is the largest tile that a cell can show.
    guard value < Pattern.valuesPerCell - 1 else { return }
    var doubled = 0
    while value > 0 {
      let showing = cellsShowing(value)
      guard showing != 0 else { return }
      doubled |= showing
      // One more in every cell that is doubled: a carry through the planes.
      let carry1 = doubled & planes.0
      let carry2 = carry1 & planes.1
      let carry3 = carry2 & planes.2
      body(
        (planes.0 ^ doubled) | (planes.1 ^ carry1) << cellCount
          | (planes.2 ^ carry2) << (2 * cellCount) | (planes.3 ^ carry3) << (3 * cellCount))
      value -= 1
    }
  }
}
