import Game2048

/// A division of the game into stages by the largest tile on the board.
///
/// Each stage has separate tables, so that a network can value late boards independently of early ones.
/// The price is memory, and that every stage learns from its part of the games only. Below about a
/// million games, stages do not pay off.
///
/// A weight that a stage has not learned yet is *promoted*: it is read as the same weight of the stage before,
/// and starts from there when it is first updated. An entry of exactly 0 counts as not learned, so no memory is
/// needed to mark it.
///
/// Sources: Wu et al., "Multi-stage temporal difference learning for 2048-like games", 2014, for stages;
/// Jaśkowski 2017 for promotion. Jaśkowski copies a weight when it is first read; here it follows the
/// earlier stage, which may still be learning, until it is first updated.
public struct StageRule: Hashable, Sendable {
  /// A mask of the tiles with which stages begin: bit `e` stands for the tile `1 << e`.
  @usableFromInline let tiles: UInt16

  /// One stage for the whole game.
  public static let single = StageRule(exponents: [])

  /// The largest number of stages.
  public static let largestCount = 16

  /// Creates a rule with a stage from each of the tiles with these exponents on.
  ///
  /// - Precondition: Every exponent is in `1...15`.
  public init(exponents: [Int]) {
    precondition(exponents.allSatisfy { (1...15).contains($0) }, "tiles from 2 to 32768")
    tiles = exponents.reduce(0) { $0 | 1 << UInt16($1) }
  }

  /// Creates a rule for several stages, or returns nil unless the exponents are distinct and in `1...15`.
  public init?(checking exponents: [Int]) {
    guard !exponents.isEmpty, exponents.allSatisfy({ (1...15).contains($0) }),
      Set(exponents).count == exponents.count
    else { return nil }
    self.init(exponents: exponents)
  }

  /// The exponents of the rule's tiles, ascending.
  public var exponents: [Int] { (1...15).filter { tiles >> UInt16($0) & 1 == 1 } }

  /// The number of stages, in `1...16`.
  public var count: Int { tiles.nonzeroBitCount + 1 }

  /// Returns the stage of a board, which is the number of the rule's tiles that its largest tile has reached.
  ///
  /// - Parameter planes: The planes of the board, whose exponents are at most 15.
  @inlinable
  public func stage(ofPlanes planes: UInt64) -> Int {
    let largest = Board(planes: planes).largestTileExponent
    return (tiles & ((2 &<< UInt16(truncatingIfNeeded: largest)) &- 1)).nonzeroBitCount
  }
}
