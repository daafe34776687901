import Game2048

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
    while true {
      let exponents = board.exponents
      let largest = exponents.max() ?? 0
      guard largest >= exponent,
        let missing = (1..<max(1, largest)).last(where: { !exponents.contains($0) })
      else { return board }
      for (cell, tile) in exponents.enumerated() where tile > missing { board[cell] = tile - 1 }
    }
  }
}
