import CIntrinsics
import Game2048

/// An array of boards that a caller has given.
///
/// Safety: (1) the caller of the C function promises `count` boards of 16 bytes; (2) `board` takes indices below `count`.
@safe
struct BoardArray {
  private let bytes: UnsafePointer<UInt8>
  let count: Int

  /// The largest exponent of a board.
  static let largestExponent = UInt8(Board.largestExponent)

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
    let board = unsafe bytes + 16 &* index
    var planes: UInt64 = 0
    for bit in 0..<Int32(4) {
      planes |= UInt64(unsafe ci_plane_of_bytes(board, bit)) &<< UInt64(16 &* bit)
    }
    return Board(planes: planes, highPlane: unsafe ci_plane_of_bytes(board, 4))
  }
}

/// Writes a board to element `index` of an array of boards.
@inline(__always)
@unsafe
func store(_ board: Board, _ index: Int, in boards: UnsafeMutablePointer<UInt8>) {
  unsafe ci_store_bytes(board.planes, board.highPlane, boards + 16 &* index)
}

/// Writes a mask of legal moves to element `index` of an array, as four bytes.
@inline(__always)
@unsafe
func store(legal mask: UInt8, _ index: Int, in bytes: UnsafeMutablePointer<UInt8>) {
  // Bit i goes to byte i.
  let spread = (UInt32(mask) &* 0x0020_4081) & 0x0101_0101
  unsafe UnsafeMutableRawPointer(bytes + 4 &* index).storeBytes(of: spread, as: UInt32.self)
}
