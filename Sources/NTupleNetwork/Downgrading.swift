import Game2048

/// The tile size from which a network reads boards with their largest tiles downgraded.
///
/// A board with a tile of that size is read as `Board.downgraded(from:)` returns it. Boards with the
/// largest tiles are rare in training but resemble their downgraded forms, so the network applies to
/// them what it has learned from those.
///
/// Source: Guei, Chen and Wu, "Optimistic temporal difference learning for 2048", 2021, section V. They
/// downgrade the board of the player; here every value reads downgraded boards, also in training.
public struct Downgrading: Hashable, Sendable {
  /// The valid exponents, those of tiles 1024 to 32768.
  public static let range = 10...15

  /// No downgrading: a network reads all boards unchanged.
  public static let none = Downgrading(least: 16)

  /// The smallest exponent that is downgraded, or 16 for no downgrading.
  @usableFromInline let least: Int

  private init(least: Int) { self.least = least }

  /// Creates the rule that downgrades boards with a tile of `1 << exponent` or more.
  ///
  /// - Precondition: The exponent is in ``range``.
  public init(from exponent: Int) {
    precondition(Downgrading.range.contains(exponent), "tiles of 1024 to 32768")
    self.init(least: exponent)
  }

  /// The smallest exponent that is downgraded; nil for no downgrading.
  public var exponent: Int? { self == .none ? nil : least }

  /// The smallest tile that is downgraded; nil for no downgrading.
  public var tile: Int? { exponent.map { 1 << $0 } }

  /// Returns whether a board with these planes, whose exponents are at most 15, is downgraded.
  ///
  /// The test takes a few operations, but downgrading takes dozens.
  @inlinable
  @inline(__always)
  func changes(_ planes: UInt64) -> Bool { least <= 15 && hasLargeTile(planes) }

  /// Returns whether an exponent is at least `least`.
  ///
  /// Adding 16 − `least` to such an exponent carries out of its four bits.
  @inlinable
  @inline(__always)
  func hasLargeTile(_ planes: UInt64) -> Bool {
    let addend = 16 &- least
    var carry: UInt64 = 0
    for bit in 0..<4 {
      let plane = planes &>> UInt64(16 &* bit)
      carry = addend &>> bit & 1 == 1 ? plane | carry : plane & carry
    }
    return carry & 0xFFFF != 0
  }
}

extension Downgrading {
  /// Returns the planes of a board that is downgraded, and the sum of the offsets of the levels of its steps.
  func read(
    _ planes: UInt64, _ offset: (TileLevel) -> Float
  ) -> (planes: UInt64, offset: Float) {
    var sum: Float = 0
    let board = Board(planes: planes).downgraded(from: least) { sum += offset($0) }
    return (board.planes, sum)
  }

  /// Returns the planes of a board with a tile above 32768.
  @usableFromInline
  @inline(never)
  func planes(ofLarge board: Board) -> UInt64 {
    // Downgrades only as far as the four planes require, because the stage depends on these planes.
    (self == .none ? board : board.downgraded(from: 16)).saturatedPlanes
  }

  /// Returns the planes of all afterstates, some of which may have a tile above 32768.
  @usableFromInline
  @inline(never)
  func planes(ofLarge moves: MoveSet) -> SIMD4<UInt64> {
    var planes = moves.planes
    for move in 0..<4 {
      let board = moves.afterstate(ofMove: move)
      if board.highPlane != 0 { planes[move] = self.planes(ofLarge: board) }
    }
    return planes
  }
}
