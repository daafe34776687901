extension Board {
  /// The board with its largest tiles lowered until the largest is below `1 << exponent`.
  ///
  /// As long as it is not, every tile above the largest missing one (of a 2 or more, below the largest
  /// tile) becomes half as large. Equal tiles stay equal and different ones different, so that the
  /// same moves are legal. A network whose tables never saw the large tiles knows the lowered board.
  ///
  /// Source: Guei, Chen and Wu, "Optimistic temporal difference learning for 2048", 2021, section V.
  public func downgraded(from exponent: Int) -> Board {
    var board = self
    var largest = largestTileExponent
    while largest >= exponent {
      var tile = largest
      var above: UInt16 = 0
      while tile > 0 {
        let cells = board.cells(holding: tile)
        if cells == 0 { break }
        above |= cells
        tile &-= 1
      }
      if tile == 0 { break }
      board.lower(above)
      largest &-= 1
    }
    return board
  }

  /// The cells that hold the tile with this exponent, a bit each.
  private func cells(holding exponent: Int) -> UInt16 {
    var cells = exponent >> 4 & 1 == 1 ? highPlane : ~highPlane
    for bit in 0..<4 {
      let plane = UInt16(truncatingIfNeeded: planes >> UInt64(16 &* bit))
      cells &= exponent >> bit & 1 == 1 ? plane : ~plane
    }
    return cells
  }

  /// Takes one from the exponents of these cells, none of which is 0: a borrow through the planes.
  private mutating func lower(_ cells: UInt16) {
    var borrow = UInt64(cells)
    var lowered: UInt64 = 0
    for bit in 0..<4 {
      let plane = planes >> UInt64(16 &* bit) & 0xFFFF
      lowered |= (plane ^ borrow) << UInt64(16 &* bit)
      borrow &= ~plane
    }
    planes = lowered
    highPlane ^= UInt16(truncatingIfNeeded: borrow)
  }
}
