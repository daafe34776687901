import Game2048

// Boards of the C interface are sixteen bytes, the exponents. The bits of eight bytes become eight bits of a plane by a
// multiplication, and back, so that no board is converted cell by cell.

extension Board {
  /// The lowest bit of each of eight bytes.
  private static var eachByte: UInt64 { 0x0101_0101_0101_0101 }

  /// The exponents as two words of eight bytes, the first cell in the lowest byte.
  @inline(__always)
  var exponentWords: SIMD2<UInt64> {
    var words = SIMD2<UInt64>.zero
    for bit in 0..<4 {
      words |=
        Board.spread(UInt16(truncatingIfNeeded: planes &>> UInt64(16 &* bit))) &<< UInt64(bit)
    }
    if highPlane != 0 { words |= Board.spread(highPlane) &<< 4 }
    return words
  }

  /// Creates a board from exponents below 32, as ``exponentWords``.
  @inline(__always)
  init(exponentWords words: SIMD2<UInt64>) {
    var planes: UInt64 = 0
    for bit in 0..<UInt64(4) {
      planes |= UInt64(Board.gathered(words &>> SIMD2(repeating: bit))) &<< (16 &* bit)
    }
    self.init(planes: planes, highPlane: Board.gathered(words &>> 4))
  }

  /// Returns the bits of a plane, each in the lowest bit of a byte.
  @inline(__always)
  private static func spread(_ plane: UInt16) -> SIMD2<UInt64> {
    let halves = SIMD2(UInt64(plane & 0xFF), UInt64(plane &>> 8))
    // Byte i keeps bit i, and an addition carries it into the highest bit of the byte.
    let own = (halves &* eachByte) & 0x8040_2010_0804_0201
    return ((own &+ 0x7F7F_7F7F_7F7F_7F7F) &>> 7) & eachByte
  }

  /// Returns the lowest bits of sixteen bytes as a plane.
  @inline(__always)
  private static func gathered(_ words: SIMD2<UInt64>) -> UInt16 {
    // Byte i goes to bit 56 + i, and no two products meet.
    let halves = ((words & eachByte) &* 0x0102_0408_1020_4080) &>> 56
    return UInt16(truncatingIfNeeded: halves[0] | halves[1] &<< 8)
  }
}

/// An array of boards that a caller has given.
///
/// Safety: (1) the caller of the C function promises `count` boards of 16 bytes; (2) `board` takes indices below `count`.
@safe
struct BoardArray {
  private let bytes: UnsafePointer<UInt8>
  let count: Int

  /// The largest exponent that a board can have, which an afterstate of the largest tiles has.
  static let largestExponent: UInt8 = 18

  /// Takes boards for rules.
  ///
  /// - Throws: `Failure` if a byte is not an exponent, or if a tile lies outside the board.
  init(_ bytes: UnsafePointer<UInt8>?, count: Int64, rules: Rules, name: String = "boards") throws {
    unsafe self.bytes = try required(bytes, name)
    self.count = try validated(count: count)
    for index in 0..<self.count {
      let exponents = unsafe UnsafeRawPointer(self.bytes + 16 * index).loadUnaligned(
        as: SIMD16<UInt8>.self)
      if exponents.max() > BoardArray.largestExponent {
        throw Failure.usage(
          "board \(index) has the exponent \(exponents.max()), but exponents are 0 (empty) to "
            + "\(BoardArray.largestExponent)")
      }
      if rules.size < 4, !rules.haveRoom(for: self[index]) {
        throw Failure.usage(
          "board \(index) has a tile outside the \(rules.size)x\(rules.size) cells of the upper left corner"
        )
      }
    }
  }

  @inline(__always)
  subscript(index: Int) -> Board {
    unsafe Board(
      exponentWords: UnsafeRawPointer(bytes + 16 &* index).loadUnaligned(as: SIMD2<UInt64>.self))
  }
}

/// Writes a board to element `index` of an array of boards.
@inline(__always)
@unsafe
func store(_ board: Board, _ index: Int, in boards: UnsafeMutablePointer<UInt8>) {
  unsafe UnsafeMutableRawPointer(boards + 16 &* index)
    .storeBytes(of: board.exponentWords, as: SIMD2<UInt64>.self)
}

/// Writes a mask of legal moves to element `index` of an array, as four bytes.
@inline(__always)
@unsafe
func store(legal mask: UInt8, _ index: Int, in bytes: UnsafeMutablePointer<UInt8>) {
  // Bit i goes to byte i.
  let spread = (UInt32(mask) &* 0x0020_4081) & 0x0101_0101
  unsafe UnsafeMutableRawPointer(bytes + 4 &* index).storeBytes(of: spread, as: UInt32.self)
}
