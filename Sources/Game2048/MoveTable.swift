import CIntrinsics

/// The moves of every line of four exponents from 0 to 15, in both directions.
///
/// The index of a line is its sixteen bits in the planes, as in ``SlidLine``.
///
/// Safety: (1) `entries` points to 65,536 initialised entries that are never written again and
/// never freed, so any thread may read them at any time; (2) every index is a `UInt16`, or comes
/// from a bit extraction with a mask of 16 ones, so it is in bounds by construction.
@safe
@usableFromInline
struct MoveTable: @unchecked Sendable {
  @usableFromInline let entries: UnsafePointer<SlidLine>

  /// Returns the table for boards of `size` × `size` cells.
  ///
  /// - Precondition: `size` is 2, 3 or 4.
  static func forBoard(size: Int) -> MoveTable {
    switch size {
    case 2: two
    case 3: three
    case 4: four
    default: preconditionFailure("a board has 2, 3 or 4 rows")
    }
  }

  private static let two = MoveTable(lineLength: 2)
  private static let three = MoveTable(lineLength: 3)
  private static let four = MoveTable(lineLength: 4)

  /// Builds the table for lines of `lineLength` cells; the other places of a line are never used.
  private init(lineLength: Int) {
    let table = UnsafeMutablePointer<SlidLine>.allocate(capacity: 1 << 16)
    for index in 0..<(1 << 16) {
      var line = MoveTable.exponents(of: UInt16(index))
      for place in lineLength..<4 { line[place] = 0 }
      let first = line.slid()
      let last = line.reversed(length: lineLength).slid()
      // A line that makes a 65536 does not fit, but `Rules` never looks it up.
      unsafe (table + index).initialize(
        to: SlidLine(
          towardsFirst: MoveTable.index(of: first.line),
          towardsLast: MoveTable.index(of: last.line.reversed(length: lineLength)),
          reward: Int32(first.reward)))
    }
    unsafe entries = UnsafePointer(table)
  }

  /// Returns the exponents of a line, from the four bits of each that an index holds.
  static func exponents(of index: UInt16) -> SIMD4<Int> {
    var line = SIMD4<Int>.zero
    for place in 0..<4 {
      for bit in 0..<4 { line[place] |= Int(index >> UInt16(4 * bit + place) & 1) << bit }
    }
    return line
  }

  /// Returns the index of a line, from the lowest four bits of every exponent.
  static func index(of line: SIMD4<Int>) -> UInt16 {
    var index = 0
    for place in 0..<4 {
      for bit in 0..<4 { index |= (line[place] >> bit & 1) << (4 * bit + place) }
    }
    return UInt16(index)
  }

  /// Returns the four afterstates of a board whose moves stay within the four planes.
  @inlinable
  @inline(__always)
  func moves(from planes: UInt64) -> MoveSet {
    var up: UInt64 = 0
    var down: UInt64 = 0
    var left: UInt64 = 0
    var right: UInt64 = 0
    var horizontal: Int32 = 0
    var vertical: Int32 = 0
    @inline(__always)
    func slideLines(row: UInt64, column: UInt64) {
      let inRow = unsafe entries[Int(truncatingIfNeeded: ci_extract_bits(planes, row))]
      left |= ci_deposit_bits(UInt64(inRow.towardsFirst), row)
      right |= ci_deposit_bits(UInt64(inRow.towardsLast), row)
      horizontal &+= inRow.reward

      let inColumn = unsafe entries[Int(truncatingIfNeeded: ci_extract_bits(planes, column))]
      up |= ci_deposit_bits(UInt64(inColumn.towardsFirst), column)
      down |= ci_deposit_bits(UInt64(inColumn.towardsLast), column)
      vertical &+= inColumn.reward
    }
    // Unrolled, because with a literal mask the portable bit moves become a few shifts.
    slideLines(row: 0x000F_000F_000F_000F, column: 0x1111_1111_1111_1111)
    slideLines(row: 0x00F0_00F0_00F0_00F0, column: 0x2222_2222_2222_2222)
    slideLines(row: 0x0F00_0F00_0F00_0F00, column: 0x4444_4444_4444_4444)
    slideLines(row: 0xF000_F000_F000_F000, column: 0x8888_8888_8888_8888)
    return MoveSet(
      planes: SIMD4(up, down, left, right),
      highPlanes: SIMD4(repeating: 0),
      rewards: SIMD4(vertical, vertical, horizontal, horizontal))
  }
}
