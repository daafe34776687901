import CIntrinsics
import Game2048

/// The order of a pattern's entries in memory and in files.
///
/// In memory, an index consists of the bits of the pattern's cells *plane by plane*: first bit 0 of
/// every cell, then bit 1 of every cell, and so on. One bit extraction computes it. Boards with small
/// tiles, which are most boards, use a small contiguous part of the table.
///
/// A value sums over all symmetries, so the table may be read at any image of the pattern. The image
/// with the largest mask is used. The bits of a plane follow its cells in ascending order, and the
/// first four of these cells share a cache line. In traces of greedy games, this choice has about the
/// fewest cache misses of all eight, for each of the four patterns of 4x6.
///
/// In a file, the order is *canonical*: a tensor of shape `[16] × n`, row-major, whose axes are the
/// cells in listed order. The last listed cell is the lowest hexadecimal digit.
package struct IndexLayout: Sendable {
  /// The bits of the cells that are read, in all four planes.
  package let mask: UInt64
  /// The parts of memory indices: `contribution[position][value]` is the part from listed cell
  /// `position` with exponent `value`.
  private let contribution: [[Int]]

  /// Creates the layout of a pattern on a board of `boardSize` × `boardSize` cells.
  package init(_ pattern: Pattern, boardSize: Int = 4) {
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

  /// Returns the memory index of the entry for exponents in listed order.
  package func memoryIndex(of exponents: [Int]) -> Int {
    zip(contribution, exponents).reduce(0) { $0 | $1.0[$1.1] }
  }

  /// The parts of memory indices from the last two canonical digits: 256 values, or 16 for a pattern
  /// of one cell.
  ///
  /// The conversion of a table is a pair of nested loops: it computes the high part of an index once
  /// for every block, and looks up the low part here.
  package var lowIndices: [Int] {
    let low = contribution.suffix(2)
    return (0..<(1 << (4 * low.count))).map { canonical in memoryIndex(canonical, low) }
  }

  /// Returns the part of memory indices from the canonical digits above the last two.
  package func highIndex(_ block: Int) -> Int {
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

// A key identifies an entry of a pattern in all stages. It has 32 bits: the stage in the upper bits and
// the index in memory order below it.

extension NetworkShape {
  /// Returns the number of keys of a pattern in all stages. Every key is less than this number.
  package func keyCount(ofPattern pattern: Int) -> Int {
    stages.count << (4 * patterns[pattern].cells.count)
  }
}

extension NTupleNetwork {
  /// Returns the number of bits that the keys of a pattern need.
  package func keyBits(ofPattern pattern: Int) -> Int {
    Int.bitWidth - (shape.keyCount(ofPattern: pattern) - 1).leadingZeroBitCount
  }

  /// Lists the features of `pattern` in the first `rows` rows, image by image.
  ///
  /// `words[image · rows + row]` has the key of the entry in its upper half and the bits of
  /// `errors[row]` in its lower half.
  ///
  /// - Precondition: `rows` is at most the capacity of the images, the images are complete, `errors`
  ///   holds `rows` floats, `words` has room for `8 · rows` words, and keys have at most 32 bits.
  @unsafe
  package func listFeatures(
    ofPattern pattern: Int, in images: BoardImages, rows: Int, errors: UnsafePointer<Float>,
    into words: UnsafeMutablePointer<UInt64>
  ) {
    precondition(rows <= images.capacity)
    precondition(keyBits(ofPattern: pattern) <= 32, "keys have 32 bits")
    let mask = unsafe tables[pattern].mask
    let indexBits = UInt64(mask.nonzeroBitCount)
    for image in 0..<Symmetries.count {
      let planes = unsafe images.base + image &* images.stride
      let place = unsafe words + image &* rows
      for row in 0..<rows {
        let index = unsafe ci_extract_bits(planes[row], mask)
        unsafe place[row] = index &<< 32 | UInt64(errors[row].bitPattern)
      }
      if isStaged {
        for row in 0..<rows {
          unsafe place[row] |= UInt64(images.stage(row)) &<< (32 &+ indexBits)
        }
      }
    }
  }
}
