extension Board {
  /// The board with its largest tiles downgraded until the largest is below `1 << exponent`.
  ///
  /// As long as it is not, every tile above the largest missing one (of those below the largest tile)
  /// becomes half as large. Equal tiles stay equal and different ones different, so that the
  /// same moves are legal. A network whose tables never saw the large tiles knows the downgraded board.
  ///
  /// A board that lacks none of the tiles from 64 on stays as it is. Once the missing tile is made, the
  /// downgraded board promises a merge that the real one does not have; the smaller the missing tile, the
  /// sooner that is.
  ///
  /// Source: Guei, Chen and Wu, "Optimistic temporal difference learning for 2048", 2021, section V; they
  /// downgrade whatever is missing.
  public func downgraded(from exponent: Int) -> Board {
    var board = self
    var largest = largestTileExponent
    while largest >= exponent {
      let cells = TileCells(of: board)
      var tile = largest
      var above: UInt16 = 0
      while tile >= Board.leastMissingExponent {
        let cellsOfTile = cells[tile]
        if cellsOfTile == 0 { break }
        above |= cellsOfTile
        tile &-= 1
      }
      if tile < Board.leastMissingExponent { break }
      board.halve(above)
      largest &-= 1
    }
    return board
  }

  /// The exponent of the smallest tile over which tiles are downgraded.
  private static let leastMissingExponent = 6

  /// Takes one from the exponents of these cells, none of which is 0: a borrow through the planes.
  private mutating func halve(_ cells: UInt16) {
    var borrow = UInt64(cells)
    var halved: UInt64 = 0
    for bit in 0..<4 {
      let plane = planes >> UInt64(16 &* bit) & 0xFFFF
      halved |= (plane ^ borrow) << UInt64(16 &* bit)
      borrow &= ~plane
    }
    planes = halved
    highPlane ^= UInt16(truncatingIfNeeded: borrow)
  }
}
