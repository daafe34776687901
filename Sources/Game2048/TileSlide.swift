/// The path of one tile in a move.
///
/// Two tiles that merge have the same destination.
public struct TileSlide: Hashable, Sendable {
  /// The cell before the move.
  public let origin: Int
  /// The cell after the move, which equals the origin if the tile stays.
  public let destination: Int
}

extension Rules {
  /// Returns the path of every tile of `board` in a move, for animations.
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
