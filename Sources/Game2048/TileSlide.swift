/// Where one tile of a board goes in a move.
///
/// Two tiles that merge go to the same cell.
public struct TileSlide: Hashable, Sendable {
  /// The cell that it leaves.
  public let origin: Int
  /// The cell that it comes to; the same if it stays.
  public let destination: Int
}

extension Rules {
  /// Where every tile of `board` goes in a move, for whoever shows how it gets there.
  public func slides(on board: Board, _ direction: Direction) -> [TileSlide] {
    var slides: [TileSlide] = []
    for line in 0..<size {
      let cells = (0..<size).map { cell(line: line, place: $0, from: direction) }
      var exponents = SIMD4<Int>.zero
      for (place, cell) in cells.enumerated() { exponents[place] = board[cell] }
      let destinations = LineMove.destinations(exponents)
      for (place, cell) in cells.enumerated() where exponents[place] != 0 {
        slides.append(TileSlide(origin: cell, destination: cells[destinations[place]]))
      }
    }
    return slides
  }

  /// The cell in a place of a row or column, counted from the side that tiles slide to.
  private func cell(line: Int, place: Int, from side: Direction) -> Int {
    switch side {
    case .up: 4 * place + line
    case .down: 4 * (size - 1 - place) + line
    case .left: 4 * line + place
    case .right: 4 * line + size - 1 - place
    }
  }
}
