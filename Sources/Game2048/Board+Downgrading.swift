extension Board {
  /// Returns the board with its largest tiles downgraded until the largest is below `1 << exponent`.
  ///
  /// One step is repeated as long as the largest tile is at least `1 << exponent`. The step finds the
  /// largest missing tile between 64 and the largest tile, and halves every tile above it. If none of
  /// these tiles is missing, the procedure ends early. Equal tiles stay equal and different tiles stay
  /// different, so the same moves are legal. A network that has never seen the large tiles knows the
  /// downgraded board.
  ///
  /// Tiles below 64 do not count as missing. A downgraded board promises that the missing tile, once
  /// made, merges with the tile above it, which is not true on the real board. The smaller the missing
  /// tile, the sooner the promise is broken.
  ///
  /// Source: Guei, Chen and Wu, "Optimistic temporal difference learning for 2048", 2021, section V.
  /// They downgrade over any missing tile.
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

  /// The exponent of the smallest tile that counts as missing: 64.
  @inlinable package static var leastMissingExponent: Int { 6 }

  /// Subtracts 1 from the exponents of `cells` by a borrow through the planes.
  ///
  /// - Precondition: None of the exponents is 0.
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
