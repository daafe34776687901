import Game2048

/// A set of cells of the 4 × 4 board: bit `cell` stands for `cell`.
public struct CellSet: Hashable, Sendable {
  public let cells: UInt16

  public init(_ cells: UInt16) { self.cells = cells }

  /// Reads four rows of `#` for a cell of the set and `.` for another, such as `####/##../..../....`; nil if
  /// the text is something else.
  public init?(_ text: String) {
    let rows = text.split(separator: "/", omittingEmptySubsequences: false)
    guard rows.count == 4, rows.allSatisfy({ $0.count == 4 }) else { return nil }
    var cells: UInt16 = 0
    for (cell, character) in rows.joined().enumerated() {
      switch character {
      case "#": cells |= 1 << UInt16(cell)
      case ".": break
      default: return nil
      }
    }
    self.cells = cells
  }

  /// The images under the eight symmetries of the board, in the order of `Symmetries`.
  public var images: [UInt16] {
    let images = Rules.standard.symmetries.images(of: UInt64(cells))
    return (0..<Symmetries.count).map { UInt16(truncatingIfNeeded: images[$0]) }
  }

  /// The image that represents all images: the smallest number.
  public var canonical: CellSet { CellSet(images.min()!) }
}

extension CellSet: CustomStringConvertible {
  /// The four rows, as `init(_:)` reads them.
  public var description: String {
    (0..<4).map { row in
      String((0..<4).map { cells >> UInt16(4 * row + $0) & 1 == 1 ? "#" : "." })
    }.joined(separator: "/")
  }
}
