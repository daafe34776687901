/// The eight symmetries of a square board, acting on all bit planes at once.
///
/// Image 0 is the board itself, image 1 is mirrored left to right, image 2 is upside down, and image
/// 3 is rotated by 180°. Images 4 to 7 are the same images of the transposed board. The images of a
/// board smaller than 4 × 4 stay in the upper left corner.
public struct Symmetries: Sendable {
  /// The number of symmetries.
  public static let count = 8

  /// The shift that brings a mirrored image of a small board back to the left, in bits of a plane.
  @usableFromInline let columnShift: UInt64
  /// The shift that brings a flipped image of a small board back to the top, in bits of a plane.
  @usableFromInline let rowShift: UInt64

  init(size: Int) {
    columnShift = UInt64(4 - size)
    rowShift = UInt64(4 * (4 - size))
  }

  /// Returns the eight images of the planes of one board.
  @inlinable
  @inline(__always)
  public func images(of planes: UInt64) -> SIMD8<UInt64> {
    let pair = SIMD2(planes, Symmetries.transposed(SIMD2(repeating: planes))[0])
    let mirrored = mirrored(pair)
    let four = SIMD4(lowHalf: pair, highHalf: mirrored)
    let flipped = flipped(four)
    return SIMD8(
      four[0], four[2], flipped[0], flipped[2], four[1], four[3], flipped[1], flipped[3])
  }

  /// Calls `body` with each image in turn, for four boards at once.
  @inlinable
  @inline(__always)
  package func forEachImage(
    of planes: SIMD4<UInt64>, _ body: (_ image: Int, _ planes: SIMD4<UInt64>) -> Void
  ) {
    let mirror = mirrored(planes)
    let transpose = Symmetries.transposed(planes)
    let mirroredTranspose = mirrored(transpose)
    body(0, planes)
    body(1, mirror)
    body(2, flipped(planes))
    body(3, flipped(mirror))
    body(4, transpose)
    body(5, mirroredTranspose)
    body(6, flipped(transpose))
    body(7, flipped(mirroredTranspose))
  }

  /// Returns the boards mirrored left to right.
  @inlinable
  @inline(__always)
  func mirrored<Boards: SIMD>(_ planes: Boards) -> Boards where Boards.Scalar == UInt64 {
    let pairs =
      ((planes &>> 1) & Boards(repeating: 0x5555_5555_5555_5555))
      | ((planes & Boards(repeating: 0x5555_5555_5555_5555)) &<< 1)
    let lines =
      ((pairs &>> 2) & Boards(repeating: 0x3333_3333_3333_3333))
      | ((pairs & Boards(repeating: 0x3333_3333_3333_3333)) &<< 2)
    return lines &>> Boards(repeating: columnShift)
  }

  /// Returns the boards upside down.
  @inlinable
  @inline(__always)
  func flipped<Boards: SIMD>(_ planes: Boards) -> Boards where Boards.Scalar == UInt64 {
    let pairs =
      ((planes &>> 4) & Boards(repeating: 0x0F0F_0F0F_0F0F_0F0F))
      | ((planes & Boards(repeating: 0x0F0F_0F0F_0F0F_0F0F)) &<< 4)
    let halves =
      ((pairs &>> 8) & Boards(repeating: 0x00FF_00FF_00FF_00FF))
      | ((pairs & Boards(repeating: 0x00FF_00FF_00FF_00FF)) &<< 8)
    return halves &>> Boards(repeating: rowShift)
  }

  /// Returns the boards with rows and columns exchanged.
  @inlinable
  @inline(__always)
  static func transposed<Boards: SIMD>(_ planes: Boards) -> Boards
  where Boards.Scalar == UInt64 {
    let odd = (planes ^ (planes &>> 3)) & Boards(repeating: 0x0A0A_0A0A_0A0A_0A0A)
    let swapped = planes ^ odd ^ (odd &<< 3)
    let corner = (swapped ^ (swapped &>> 6)) & Boards(repeating: 0x00CC_00CC_00CC_00CC)
    return swapped ^ corner ^ (corner &<< 6)
  }

  /// Returns image `index` of a board, including its high plane.
  public func image(_ index: Int, of board: Board) -> Board {
    Board(
      planes: images(of: board.planes)[index],
      highPlane: UInt16(truncatingIfNeeded: images(of: UInt64(board.highPlane))[index]))
  }
}
