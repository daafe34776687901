import Game2048

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
    let indices = SIMD8(repeating: Int32(truncatingIfNeeded: index))
    return Int(UInt32(bitPattern: downgraded(indices, cellCount: cellCount, from: exponent)[0]))
  }

  /// Returns the downgraded indices of eight entries of a table, each as the function for one
  /// entry does.
  ///
  /// The elements of a vector are indices. Eight entries take hardly longer than one.
  static func downgraded(
    _ indices: SIMD8<Int32>, cellCount: Int, from exponent: Int
  ) -> SIMD8<Int32> {
    typealias Eight = SIMD8<Int32>
    let width = Int32(truncatingIfNeeded: cellCount)
    let cells = Eight(repeating: 1 &<< width &- 1)
    var (p0, p1) = (indices & cells, indices &>> width & cells)
    var (p2, p3) = (indices &>> (2 &* width) & cells, indices &>> (3 &* width) & cells)
    @inline(__always)
    func cellsShowing(_ value: Int) -> Eight {
      let (c0, c1) = (value & 1 != 0 ? p0 : ~p0, value & 2 != 0 ? p1 : ~p1)
      let (c2, c3) = (value & 4 != 0 ? p2 : ~p2, value & 8 != 0 ? p3 : ~p3)
      return c0 & c1 & c2 & c3 & cells
    }
    /// Returns -1 in elements that are not 0, by the sign of their negative.
    @inline(__always)
    func isNotZero(_ values: Eight) -> Eight { (Eight.zero &- values) &>> 31 }

    // Masks of elements: those whose largest tile has been found, and those whose chain reached down to 64.
    var (isFound, isEnded) = (Eight.zero, Eight.zero)
    var largest = Pattern.valuesPerCell - 1
    while largest >= exponent {
      var halved = cellsShowing(largest)
      isFound = largest == exponent ? Eight(repeating: -1) : isFound | isNotZero(halved)
      var isChain = isFound & ~isEnded
      var value = largest - 1
      while value >= Board.leastMissingExponent, isChain != .zero {
        let showing = cellsShowing(value)
        isChain &= isNotZero(showing)
        halved |= showing & isChain
        value -= 1
      }
      isEnded |= isChain
      halved &= isFound & ~isEnded
      // Subtracts 1 from the exponent of every halved cell by a borrow through the planes.
      let borrow1 = halved & ~p0
      let borrow2 = borrow1 & ~p1
      let borrow3 = borrow2 & ~p2
      (p0, p1, p2, p3) = (p0 ^ halved, p1 ^ borrow1, p2 ^ borrow2, p3 ^ borrow3)
      largest -= 1
    }
    return p0 | p1 &<< width | p2 &<< (2 &* width) | p3 &<< (3 &* width)
  }
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
