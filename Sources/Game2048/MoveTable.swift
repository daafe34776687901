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

extension MoveTable {
  /// Returns the planes of one afterstate, and the reward, for a board whose moves stay within the four planes.
  @inlinable
  @inline(__always)
  func slide(
    _ planes: UInt64, isVertical: Bool, isTowardsLast: Bool
  ) -> (planes: UInt64, reward: Int32) {
    // Columns slide as the rows of the transposed board. A mask selects it, because random moves would often mislead the
    // prediction of a branch.
    let mask: UInt64 = isVertical ? .max : 0
    @inline(__always)
    func turned(_ planes: UInt64) -> UInt64 {
      planes ^ (planes ^ Symmetries.transposed(SIMD2(repeating: planes))[0]) & mask
    }
    let rows = turned(planes)
    // The place of the line in its entry.
    let offset = isTowardsLast ? 2 : 0
    let bytes = unsafe UnsafeRawPointer(entries)
    var slid: UInt64 = 0
    var reward: Int32 = 0
    @inline(__always)
    func slideRow(_ row: UInt64) {
      let index = Int(truncatingIfNeeded: ci_extract_bits(rows, row))
      let line = unsafe bytes.load(
        fromByteOffset: index &* MemoryLayout<SlidLine>.stride &+ offset, as: UInt16.self)
      slid |= ci_deposit_bits(UInt64(line), row)
      reward &+= unsafe entries[index].reward
    }
    slideRow(0x000F_000F_000F_000F)
    slideRow(0x00F0_00F0_00F0_00F0)
    slideRow(0x0F00_0F00_0F00_0F00)
    slideRow(0xF000_F000_F000_F000)
    return (turned(slid), reward)
  }
}

/// One line of four cells after sliding it both ways.
///
/// A line has the order of the planes: bit `4k + i` is bit `k` of the exponent in place `i`.
@usableFromInline
package struct SlidLine: Sendable {
  /// The line after sliding towards its first cell: up for a column, left for a row.
  @usableFromInline package let towardsFirst: UInt16
  /// The line after sliding towards its last cell.
  @usableFromInline package let towardsLast: UInt16
  /// The points of the slide, which are the same both ways.
  @usableFromInline package let reward: Int32
}

// The exact move of a line of any exponents, which fills the move table, and moves lines with very
// large tiles. A line starts at the side that tiles slide to, with 0 for an empty cell.
extension SIMD4<Int> {
  /// Returns the line after the slide, and the reward in points.
  func slid() -> (line: SIMD4<Int>, reward: Int) {
    let destinations = slideDestinations()
    var result = SIMD4<Int>.zero
    var reward = 0
    for place in 0..<4 where self[place] != 0 {
      let destination = destinations[place]
      if result[destination] == 0 {
        result[destination] = self[place]
      } else {
        result[destination] += 1
        reward += 1 << result[destination]
      }
    }
    return (result, reward)
  }

  /// Returns the place that each tile slides to, with 0 for an empty place.
  ///
  /// Two tiles that merge have the same destination. Two of ``Board/largestExponent`` do not merge.
  func slideDestinations() -> SIMD4<Int> {
    var result = SIMD4<Int>.zero
    var count = 0
    var mergeable = 0
    for place in 0..<4 where self[place] != 0 {
      if self[place] == mergeable, mergeable < Board.largestExponent {
        mergeable = 0
      } else {
        mergeable = self[place]
        count += 1
      }
      result[place] = count - 1
    }
    return result
  }

  /// Returns the first `length` places in reverse order, followed by zeros.
  func reversed(length: Int) -> SIMD4<Int> {
    var result = SIMD4<Int>.zero
    for place in 0..<length { result[place] = self[length - 1 - place] }
    return result
  }
}

/// The afterstates and rewards of the four moves of one board.
///
/// The number of a move is the `rawValue` of its direction. A move that is not legal has the unchanged board and a reward
/// of 0.
public struct MoveSet: Sendable {
  /// The planes of the afterstates, by the number of the move.
  public var planes: SIMD4<UInt64>
  /// The high planes of the afterstates.
  public var highPlanes: SIMD4<UInt16>
  /// The rewards in points.
  public var rewards: SIMD4<Int32>

  @inlinable
  init(planes: SIMD4<UInt64>, highPlanes: SIMD4<UInt16>, rewards: SIMD4<Int32>) {
    self.planes = planes
    self.highPlanes = highPlanes
    self.rewards = rewards
  }

  /// Returns the board after sliding in `direction`, before the spawn.
  @inlinable
  public func afterstate(_ direction: Direction) -> Board {
    afterstate(ofMove: direction.rawValue)
  }

  /// Returns a mask of the legal moves: bit n is set if move n changes `board`.
  @inlinable
  @inline(__always)
  public func legalMoves(from board: Board) -> UInt8 {
    let high = highPlanes ^ SIMD4(repeating: board.highPlane)
    let changes = (planes ^ SIMD4(repeating: board.planes)) | SIMD4(truncatingIfNeeded: high)
    // Without branches, because a processor cannot predict well which moves are legal.
    let bits = SIMD4<UInt64>(1, 2, 4, 8).replacing(with: 0, where: changes .== 0)
    return UInt8(truncatingIfNeeded: bits.wrappedSum())
  }

  /// Returns the afterstate of a move by its number.
  ///
  /// - Precondition: `move` is in `0..<4`.
  @inlinable
  public func afterstate(ofMove move: Int) -> Board {
    Board(planes: planes[move], highPlane: highPlanes[move])
  }

  /// Returns the points of the move in `direction`.
  @inlinable
  public func reward(_ direction: Direction) -> Int {
    Int(rewards[direction.rawValue])
  }
}
