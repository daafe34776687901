import Game2048

/// From which tile on a network reads boards with their largest tiles downgraded.
///
/// A board with a tile of that size reads as ``Board/downgraded(from:)`` makes it. Boards with the largest
/// tiles are rare in training, and like the boards that they are read as: what has been learned of these
/// holds for both.
///
/// Source: Guei, Chen and Wu, "Optimistic temporal difference learning for 2048", 2021, section V, who
/// downgrade the board of the player; here it is what every value reads, in training, too.
public struct Downgrading: Hashable, Sendable {
  /// The exponents that can be chosen: of 1024 to 32768.
  public static let range = 10...15

  /// Boards are read as they are.
  public static let none = Downgrading(least: 16)

  /// The exponent from which on boards are downgraded; above 15 if they never are.
  @usableFromInline let least: Int

  private init(least: Int) {
    self.least = least
  }

  /// Downgrades boards with a tile of `1 << exponent` or more.
  ///
  /// - Precondition: the exponent is in ``range``.
  public init(from exponent: Int) {
    precondition(Downgrading.range.contains(exponent), "tiles of 1024 to 32768")
    self.init(least: exponent)
  }

  /// The exponent from which on boards are downgraded; nil if they never are.
  public var exponent: Int? { least > 15 ? nil : least }

  /// The planes as a network reads them.
  ///
  /// - Parameter planes: every exponent at most 15.
  @inlinable
  @inline(__always)
  public func downgraded(_ planes: UInt64) -> UInt64 {
    // Whether there is such a tile is told by a few operations, and downgrading takes dozens.
    if least > 15 || !hasLargeTile(planes) { return planes }
    return Board(planes: planes).downgraded(from: least).planes
  }

  /// Whether a cell has an exponent of at least `least`: 16 − least, added to it, carries out.
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
