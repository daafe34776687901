extension Rules {
  /// Returns the cell of every tile of `board` before and after a move, for animations.
  ///
  /// Two tiles that merge have the same destination.
  public func slides(
    on board: Board, _ direction: Direction
  ) -> [(origin: Int, destination: Int)] {
    var slides: [(origin: Int, destination: Int)] = []
    for line in 0..<size {
      let cells = (0..<size).map { cell(line: line, place: $0, from: direction) }
      var exponents = SIMD4<Int>.zero
      for (place, cell) in cells.enumerated() { exponents[place] = board[cell] }
      let destinations = exponents.slideDestinations()
      for (place, cell) in cells.enumerated() where exponents[place] != 0 {
        slides.append((cell, cells[destinations[place]]))
      }
    }
    return slides
  }

  /// Returns a cell of a row or column by its place, counted from the side that tiles slide to.
  private func cell(line: Int, place: Int, from side: Direction) -> Int {
    switch side {
    case .up: 4 * place + line
    case .down: 4 * (size - 1 - place) + line
    case .left: 4 * line + place
    case .right: 4 * line + size - 1 - place
    }
  }
}
