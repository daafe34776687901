import Game2048

/// One of the eight symmetries of a square board, as a mapping of coordinates.
///
/// Numbered like `Symmetries`: 1 mirrors left to right, 2 turns upside down, and 4 transposes before both.
public struct ReferenceSymmetry: Sendable {
  public let index: Int
  public let size: Int

  public init(_ index: Int, size: Int = 4) {
    self.index = index
    self.size = size
  }

  /// All eight symmetries of a board of `size` × `size`.
  public static func all(size: Int = 4) -> [ReferenceSymmetry] {
    (0..<8).map { ReferenceSymmetry($0, size: size) }
  }

  /// Returns the cell to which the content of a cell moves.
  public func destination(row: Int, column: Int) -> (row: Int, column: Int) {
    var (row, column) = index >= 4 ? (column, row) : (row, column)
    if index % 2 == 1 { column = size - 1 - column }
    if index / 2 % 2 == 1 { row = size - 1 - row }
    return (row, column)
  }

  /// Returns the cells at which a pattern's table is read: the first image with the largest mask.
  public static func memoryCells(_ cells: [Int], size: Int = 4) -> [Int] {
    let images = all(size: size).map { symmetry in
      cells.map { cell in
        let place = symmetry.destination(row: cell / 4, column: cell % 4)
        return 4 * place.row + place.column
      }
    }
    func mask(_ cells: [Int]) -> Int { cells.reduce(0) { $0 | 1 << $1 } }
    let largest = images.map(mask).max()
    return images.first { mask($0) == largest }!
  }

  /// Returns the image of sixteen values whose cells are numbered as on 4 × 4.
  public func image(of values: [Int]) -> [Int] {
    var image = values
    for row in 0..<size {
      for column in 0..<size {
        let place = destination(row: row, column: column)
        image[4 * place.row + place.column] = values[4 * row + column]
      }
    }
    return image
  }

  /// Returns the image of a board.
  public func image(of board: Board) -> Board {
    Board(exponents: image(of: board.exponents))
  }

  /// Returns the direction in which tiles of the image move when those of the board move in `direction`.
  public func image(of direction: Direction) -> Direction {
    let step = ReferenceGame.step(direction)
    let from = destination(row: 0, column: 0)
    let to = destination(row: step.row, column: step.column)
    return Direction.allCases.first {
      ReferenceGame.step($0) == (to.row - from.row, to.column - from.column)
    }!
  }
}
