/// The cells of one n-tuple, in listed order.
///
/// The text form is a cell string with one hexadecimal digit per cell, such as `012345`: `0` is the
/// upper left corner and `f` the lower right corner.
public struct Pattern: Hashable, Sendable, CustomStringConvertible {
  /// The cells in listed order, which is also the order of the axes of a table in a weight file.
  public let cells: [Int]

  /// The number of values of a cell in a table: empty, and tiles 2 to 32768.
  public static let valuesPerCell = 16

  /// The valid numbers of cells.
  public static let cellCounts = 1...8

  /// The reason why a text is not a pattern.
  public enum ParsingError: Error, Equatable, CustomStringConvertible {
    /// A character that is not a hexadecimal digit.
    case badCell(Character)
    /// A number of cells that is not in ``Pattern/cellCounts``.
    case badCount(Int)
    /// A cell that occurs more than once.
    case repeatedCell(Character)
    /// A cell that is not on a board of `size` × `size` cells.
    case outsideBoard(Character, size: Int)

    public var description: String {
      switch self {
      case .badCell(let character): "'\(character)' is not a cell: cells are 0-9 and a-f"
      case .badCount(let count): "it has \(count) cells, and a pattern has 1 to 8"
      case .repeatedCell(let character): "cell \(character) occurs twice"
      case .outsideBoard(let character, let size):
        "cell \(character) is not on the \(size)x\(size) board (cells are numbered as on 4x4)"
      }
    }
  }

  /// Reads a cell string for a board of `size` × `size` cells.
  ///
  /// - Throws: ``ParsingError`` if the text is not a pattern.
  public init(_ text: String, boardSize size: Int = 4) throws(ParsingError) {
    var cells: [Int] = []
    for character in text {
      guard character.isASCII, let cell = character.hexDigitValue else {
        throw .badCell(character)
      }
      guard !cells.contains(cell) else { throw .repeatedCell(character) }
      guard cell / 4 < size, cell % 4 < size else { throw .outsideBoard(character, size: size) }
      cells.append(cell)
    }
    guard Pattern.cellCounts.contains(cells.count) else { throw .badCount(cells.count) }
    self.cells = cells
  }

  /// The number of entries of the pattern's table: 16 to the number of cells.
  public var entryCount: Int { 1 << (4 * cells.count) }

  /// Returns the cells under each of the eight symmetries of the board, in listed order.
  func images(boardSize: Int) -> [[Int]] {
    (0..<8).map { image in
      cells.map { cell in
        var (row, column) = (cell / 4, cell % 4)
        if image & 4 != 0 { (row, column) = (column, row) }
        if image & 2 != 0 { row = boardSize - 1 - row }
        if image & 1 != 0 { column = boardSize - 1 - column }
        return 4 * row + column
      }
    }
  }

  /// Returns a number that is equal for patterns that are images of each other, in any order of their cells.
  ///
  /// All symmetries of a board are looked up, so tables of such patterns would learn the same.
  package func orbit(boardSize: Int = 4) -> UInt16 {
    images(boardSize: boardSize).map { $0.reduce(UInt16(0)) { $0 | 1 << UInt16($1) } }.min()!
  }

  /// The cell string of the pattern.
  public var description: String {
    cells.map { String($0, radix: 16) }.joined()
  }
}
