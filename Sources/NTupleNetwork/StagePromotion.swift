// When a later stage begins, it knows nothing. What the stage before knows of boards with smaller tiles is
// the best first guess. An entry sees only the cells of its pattern, but it is certain that its boards have
// the tile with which the stage begins. That suffices to say which of its tiles downgrading would halve.

extension IndexLayout {
  /// Returns the memory index of the entry in which all tiles are halved that downgrading of the whole
  /// board would certainly halve.
  ///
  /// The board has a tile of `1 << exponent` or a larger one. One step is repeated as long as its largest
  /// known tile is at least that large, as in `Board.downgraded(from:)`. The step halves the largest
  /// tile and those that continue the chain below it, up to the first tile that the cells do not show. A
  /// tile that is elsewhere on the board counts as missing. If the chain reaches down to 64, nothing is
  /// halved.
  ///
  /// If all tiles are visible that matter, the boards of the result are exactly the downgraded boards of
  /// the entry. In particular, a tile of half the stage's tile is halved even in cells that do not
  /// show the stage's tile: the board has both.
  ///
  /// - Precondition: `exponent` is in `1...15`.
  package static func downgraded(_ index: Int, cellCount: Int, from exponent: Int) -> Int {
    let cells = 1 << cellCount - 1
    var (p0, p1) = (index & cells, index >> cellCount & cells)
    var (p2, p3) = (index >> (2 * cellCount) & cells, index >> (3 * cellCount))
    func cellsShowing(_ value: Int) -> Int {
      let (c0, c1) = (value & 1 != 0 ? p0 : ~p0, value & 2 != 0 ? p1 : ~p1)
      let (c2, c3) = (value & 4 != 0 ? p2 : ~p2, value & 8 != 0 ? p3 : ~p3)
      return c0 & c1 & c2 & c3 & cells
    }
    var largest = Pattern.valuesPerCell - 1
    while largest > exponent, cellsShowing(largest) == 0 { largest -= 1 }
    while largest >= exponent {
      var halved = cellsShowing(largest)
      var missing = largest - 1
      while missing >= leastMissingExponent {
        let showing = cellsShowing(missing)
        if showing == 0 { break }
        halved |= showing
        missing -= 1
      }
      if missing < leastMissingExponent { break }
      // Subtracts 1 from the exponent of every halved cell by a borrow through the planes.
      let borrow1 = halved & ~p0
      let borrow2 = borrow1 & ~p1
      let borrow3 = borrow2 & ~p2
      (p0, p1, p2, p3) = (p0 ^ halved, p1 ^ borrow1, p2 ^ borrow2, p3 ^ borrow3)
      largest -= 1
    }
    return p0 | p1 << cellCount | p2 << (2 * cellCount) | p3 << (3 * cellCount)
  }

  /// The exponent of the smallest tile that counts as missing, as in `Board.downgraded(from:)`: 64.
  private static let leastMissingExponent = 6
}

extension StageRule {
  /// Returns the memory index of the entry of the stage before that is read if a stage has not learned
  /// the entry at `index`, or nil if there is none.
  ///
  /// - Precondition: `stage` is in `1..<count`.
  package func promotedIndex(_ index: Int, cellCount: Int, stage: Int) -> Int? {
    switch promotion {
    case .copy: index
    case .downgraded:
      IndexLayout.downgraded(index, cellCount: cellCount, from: leastExponent(of: stage))
    case .none: nil
    }
  }
}
