import CIntrinsics
import Dispatch

// What a network has learned about a board applies largely to the same board with larger tiles. But an
// entry that no update has reached is 0, so the first boards with a new largest tile look worthless,
// and the player avoids making that tile.

extension NTupleNetwork {
  /// Sets entries with a tile of at least 256 that no update has reached to weights of smaller tiles.
  ///
  /// An entry inherits from the entry in which all tiles above its largest missing tile are halved, if that entry
  /// has been updated. Unlike in tile downgrading, the missing tile may be below 64. An entry that has inherited
  /// still counts as not updated: the next call sets it again, and its first update moves it with coherence 1. Only
  /// the first stage inherits, because unlearned entries of later stages are read from the stage before.
  ///
  /// - Parameters:
  ///   - updates: A table in the order of the weights, which is not 0 where an entry has been updated.
  ///   - copy: A network that has learned more since it was equal to this one. Its entries inherit the same weights,
  ///     and what it has learned since stays on top of them.
  /// - Precondition: No worker runs, and the tables have an element for every weight.
  /// - Complexity: O(*n*) on all cores, where *n* is the number of entries.
  package func inheritWeights(
    updated updates: SharedWeights, alsoIn copy: NTupleNetwork? = nil
  ) {
    precondition(updates.count == weights.count, "a number for every weight")
    precondition(copy.map { $0.shape == shape } ?? true, "a copy of the same shape")
    let parts = 8
    DispatchQueue.concurrentPerform(iterations: tableCount * parts) { job in
      let (table, part) = job.quotientAndRemainder(dividingBy: parts)
      let cellCount = shape.patterns[table].cells.count
      let entries = unsafe tables[table].entries
      let start = unsafe entries - weights.base
      let updated = unsafe updates.base + start
      let count = 1 << (4 * cellCount)
      for source in (part * count / parts)..<((part + 1) * count / parts)
      where unsafe ci_load_relaxed(updated + source) != 0 {
        // The order does not matter: no entry inherits from one that inherits, or from more than one.
        IndexLayout.forEachDoubled(source, cellCount: cellCount) { index in
          guard unsafe ci_load_relaxed(updated + index) == 0 else { return }
          let weight = unsafe ci_load_relaxed(entries + source)
          if let copy {
            let before = unsafe ci_load_relaxed(entries + index)
            copy.weights[start + index] = copy.weights[start + index].rebased(
              from: before, to: weight)
          }
          unsafe ci_store_relaxed(entries + index, weight)
        }
      }
    }
  }
}

extension IndexLayout {
  /// Calls `body` with the memory index of every entry that can inherit from the entry at `index`.
  ///
  /// Such an entry has the same cells with all tiles from some value on doubled. The value and all
  /// values from it to the largest must be present. After doubling, the value is the largest missing
  /// one, so halving the tiles above it leads back to `index`. Entries whose largest tile is below 256
  /// are skipped.
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
    // 32768 is the largest tile that a table knows.
    guard value < Pattern.valuesPerCell - 1 else { return }
    var doubled = 0
    while value > 0 {
      let showing = cellsShowing(value)
      guard showing != 0 else { return }
      doubled |= showing
      // Adds 1 to the exponent of every doubled cell by a carry through the planes.
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
