import CIntrinsics
import Game2048

/// A division of the game into stages by the tiles on the board.
///
/// Each stage has separate tables, so that a network can value late boards independently of early ones.
/// The price is memory, and that every stage learns from its part of the games only. Below about a
/// million games, stages do not pay off.
///
/// A weight that a stage has not learned yet is *promoted*: it is read as a weight of the stage before,
/// and starts from there when it is first updated. ``Promotion`` says which weight that is. An entry of
/// exactly 0 counts as not learned, so no memory is needed to mark it.
///
/// Sources: Wu et al., "Multi-stage temporal difference learning for 2048-like games", 2014, for stages
/// by the largest tile; Jaśkowski 2017 for stages by tile sets and for promotion. Jaśkowski copies a
/// weight when it is first read; here it follows the earlier stage, which may still be learning, until
/// it is first updated.
public struct StageRule: Hashable, Sendable {
  /// The meaning of the tiles of a rule.
  public enum Kind: String, CaseIterable, Sendable {
    /// The number of the rule's tiles that the largest tile has reached is the stage.
    case largestTile
    /// The set of the rule's tiles on the board is the stage.
    ///
    /// Stages are numbered in binary with the smallest tile as the lowest bit, so a game runs through
    /// them in ascending order.
    case tileSet
  }

  /// The weight that is read in place of one that a stage has not learned.
  public enum Promotion: String, CaseIterable, Sendable {
    /// The same weight of the stage before.
    case copy
    /// The weight of the stage before for the downgraded content of the cells.
    ///
    /// The cells show a part of a board that has the tile of the stage. Every tile in them is halved
    /// that downgrading of the whole board would certainly halve: tiles of at least the stage's tile,
    /// and below them those that continue the chain in these cells without a gap.
    case downgraded
    /// No weight: it reads as 0.
    case none
  }

  /// The meaning of the tiles.
  public let kind: Kind
  /// The weight that is read in place of one that a stage has not learned.
  public let promotion: Promotion
  /// A mask of the rule's tiles: bit `e` stands for the tile `1 << e`.
  @usableFromInline let tiles: UInt16

  /// One stage for the whole game.
  public static let single = StageRule(.largestTile, exponents: [])

  /// The largest number of stages.
  public static let largestCount = 16

  /// Creates a rule for the tiles with these exponents.
  ///
  /// - Precondition: Every exponent is in `1...15`, there are at most ``largestCount`` stages, and
  ///   only stages by the largest tile have downgraded promotion.
  public init(_ kind: Kind, exponents: [Int], promotion: Promotion = .copy) {
    precondition(exponents.allSatisfy { (1...15).contains($0) }, "tiles from 2 to 32768")
    precondition(
      kind == .largestTile || promotion != .downgraded, "a stage begins with several tiles")
    self.kind = kind
    self.promotion = promotion
    tiles = exponents.reduce(0) { $0 | 1 << UInt16($1) }
    precondition(count <= StageRule.largestCount, "too many stages")
  }

  /// Creates a rule for the tiles with these exponents, or returns nil if the rule is not valid.
  ///
  /// Valid exponents are distinct and in `1...15`. There is at least one of them, and there are at most
  /// ``largestCount`` stages. Only stages by the largest tile have downgraded promotion.
  public init?(_ kind: Kind, checking exponents: [Int], promotion: Promotion = .copy) {
    guard !exponents.isEmpty, exponents.allSatisfy({ (1...15).contains($0) }),
      Set(exponents).count == exponents.count,
      StageRule.count(kind, tiles: exponents.count) <= StageRule.largestCount,
      kind == .largestTile || promotion != .downgraded
    else { return nil }
    self.init(kind, exponents: exponents, promotion: promotion)
  }

  /// The exponents of the rule's tiles, ascending.
  public var exponents: [Int] { (1...15).filter { tiles >> UInt16($0) & 1 == 1 } }

  /// The number of stages, in `1...16`.
  public var count: Int { StageRule.count(kind, tiles: tiles.nonzeroBitCount) }

  private static func count(_ kind: Kind, tiles: Int) -> Int {
    switch kind {
    case .largestTile: tiles + 1
    case .tileSet: 1 << tiles
    }
  }

  /// Returns the exponent of the tile with which a stage by the largest tile begins.
  ///
  /// - Precondition: `stage` is in `1..<count`.
  @usableFromInline
  func leastExponent(of stage: Int) -> Int {
    ci_deposit_bits(1 << UInt64(stage - 1), UInt64(tiles)).trailingZeroBitCount
  }

  /// Returns the stage of a board, in `0..<count`.
  ///
  /// - Parameter planes: The planes of the board, whose exponents are at most 15.
  @inlinable
  public func stage(ofPlanes planes: UInt64) -> Int {
    let board = Board(planes: planes)
    switch kind {
    case .largestTile:
      let upToLargest = (2 &<< UInt16(truncatingIfNeeded: board.largestTileExponent)) &- 1
      return (tiles & upToLargest).nonzeroBitCount
    case .tileSet:
      let cells = TileCells(of: board)
      var present: UInt16 = 0
      var left = tiles
      while left != 0 {
        let exponent = left.trailingZeroBitCount
        left &= left &- 1
        if cells[exponent] != 0 { present |= 1 &<< UInt16(exponent) }
      }
      return Int(truncatingIfNeeded: ci_extract_bits(UInt64(present), UInt64(tiles)))
    }
  }
}
