/// The cells that one n-tuple looks at, in the order in which they were listed.
///
/// Written as a cell string: one hexadecimal digit a cell, `0` the upper left and `f` the lower
/// right corner, as `012345`.
public struct Pattern: Hashable, Sendable, CustomStringConvertible {
  /// The cells in listed order; the axes of the table in a weight file follow it.
  public let cells: [Int]

  /// The values that a cell can take in a table: empty, and tiles 2 to 32768.
  public static let valuesPerCell = 16

  /// The numbers of cells that a pattern may have.
  public static let cellCounts = 1...8

  /// Why a text is not a pattern.
  public enum ParsingError: Error, Equatable, CustomStringConvertible {
    case badCell(Character)
    case badCount(Int)
    case repeatedCell(Character)
    case outsideBoard(Character, size: Int)

    public var description: String {
      switch self {
      case .badCell(let character): "'\(character)' is no cell: cells are 0-9 and a-f"
      case .badCount(let count): "it has \(count) cells, and a pattern has 1 to 8"
      case .repeatedCell(let character): "cell \(character) occurs twice"
      case .outsideBoard(let character, let size):
        "cell \(character) is not on the \(size)x\(size) board (cells are numbered as on 4x4)"
      }
    }
  }

  /// Reads a cell string for a board of `size` × `size`.
  ///
  /// - Throws: ``ParsingError``.
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

  /// The cells under each of the eight symmetries of the board, in listed order.
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

  public var description: String {
    cells.map { String($0, radix: 16) }.joined()
  }
}
