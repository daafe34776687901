/// Where the entries of a pattern's table lie in memory, and in what order a file holds them.
///
/// In memory the index is the bits of the pattern's cells *plane by plane*: first bit 0 of every
/// cell, then bit 1 of every cell, and so on. One bit extraction computes it, and boards with small
/// tiles, which are most boards, fall into a small contiguous part of the table.
///
/// A value sums over all symmetries, so a pattern may be read in the place of any of its images. The
/// one that is read has the largest mask. Its cells in ascending order are the order of the bits, and
/// the first four of them share a cache line: of the eight possible choices, this one has about the
/// fewest cache misses for each of the four patterns of 4x6 (traces of greedy games).
///
/// On disk the order is *canonical*: a tensor of shape `[16] × n`, row-major, whose axes are the cells
/// in listed order, so that the last listed cell is the lowest hexadecimal digit.
public struct IndexLayout: Sendable {
  /// The bits of the cells that are read, in every one of the four planes.
  public let mask: UInt64
  /// `contribution[position][value]` is the part of the memory index that listed cell `position`
  /// with exponent `value` contributes.
  private let contribution: [[Int]]

  /// The layout of the table of a pattern on a board of `boardSize` × `boardSize`.
  public init(_ pattern: Pattern, boardSize: Int = 4) {
    let images = pattern.images(boardSize: boardSize)
    let cells = images.max { IndexLayout.mask(of: $0) < IndexLayout.mask(of: $1) }!
    mask = IndexLayout.mask(of: cells)
    let ascending = cells.sorted()
    let count = cells.count
    contribution = cells.map { cell in
      let place = ascending.firstIndex(of: cell)!
      return (0..<Pattern.valuesPerCell).map { value in
        (0..<4).reduce(0) { $0 | ((value >> $1) & 1) << ($1 * count + place) }
      }
    }
  }

  private static func mask(of cells: [Int]) -> UInt64 {
    cells.reduce(0) { $0 | 0x0001_0001_0001_0001 << UInt64($1) }
  }

  /// The memory index of the entry for these exponents, in listed order.
  public func memoryIndex(of exponents: [Int]) -> Int {
    zip(contribution, exponents).reduce(0) { $0 | $1.0[$1.1] }
  }

  /// The memory indices of `256` entries that are consecutive in canonical order, or of all entries
  /// of a pattern of one cell.
  ///
  /// Splitting the index into a high part computed once and a low part looked up makes the
  /// conversion of a whole table a pair of nested loops.
  public var lowIndices: [Int] {
    let low = contribution.suffix(2)
    return (0..<(1 << (4 * low.count))).map { canonical in memoryIndex(canonical, low) }
  }

  /// The part of the memory index that the digits above the last two contribute.
  public func highIndex(_ block: Int) -> Int {
    memoryIndex(block, contribution.dropLast(2))
  }

  private func memoryIndex(_ canonical: Int, _ cells: ArraySlice<[Int]>) -> Int {
    var rest = canonical
    var index = 0
    for values in cells.reversed() {
      index |= values[rest & 15]
      rest >>= 4
    }
    return index
  }
}
