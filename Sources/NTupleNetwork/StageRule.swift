import CIntrinsics
import Game2048

/// Into which stages a network divides the game, by the tiles on the board; each has tables of its own.
///
/// Late boards are unlike early ones, and tables of their own let a network value them apart. The price
/// is memory, and that every stage sees only its part of the games: below about a million games stages
/// hurt.
///
/// A weight that a stage has not learned yet is *promoted*: it reads as the same weight of the stage
/// before, and starts from there when it first moves. An entry of exactly 0 is taken as one that has
/// not been learned, which costs no memory and needs no marks.
///
/// Sources: Wu et al., "Multi-stage temporal difference learning for 2048-like games", 2014, for stages
/// by the largest tile; Jaśkowski 2017 for stages by tile sets and for promotion. Jaśkowski copies a
/// weight when it is first read; here it follows that of the stage before, which may go on learning, until
/// it is first updated.
public struct StageRule: Hashable, Sendable {
  /// What the tiles of a rule mean.
  public enum Kind: String, CaseIterable, Sendable {
    /// One stage more from each of the tiles on: stage `i` once the largest tile has reached `i` of
    /// them.
    case largestTile
    /// A stage for every set of the tiles that are on the board, numbered in binary with the smallest
    /// tile as the lowest bit, so that games go through the stages in ascending order.
    case tileSet
  }

  public let kind: Kind
  /// Bit `e` is set if the tile `1 << e` matters.
  @usableFromInline let tiles: UInt16

  /// One stage for the whole game.
  public static let single = StageRule(.largestTile, exponents: [])

  /// The largest number of stages.
  public static let largestCount = 16

  /// The rule of this kind for the tiles with these exponents, each in `1...15`.
  ///
  /// - Precondition: there are at most ``largestCount`` stages.
  public init(_ kind: Kind, exponents: [Int]) {
    precondition(exponents.allSatisfy { (1...15).contains($0) }, "tiles from 2 to 32768")
    self.kind = kind
    tiles = exponents.reduce(0) { $0 | 1 << UInt16($1) }
    precondition(count <= StageRule.largestCount, "too many stages")
  }

  /// The same, or nil where there are no tiles, too many stages, or a tile that cannot matter.
  public init?(_ kind: Kind, checking exponents: [Int]) {
    guard !exponents.isEmpty, exponents.allSatisfy({ (1...15).contains($0) }),
      Set(exponents).count == exponents.count,
      StageRule.count(kind, tiles: exponents.count) <= StageRule.largestCount
    else { return nil }
    self.init(kind, exponents: exponents)
  }

  /// The exponents of the tiles that matter, ascending.
  public var exponents: [Int] { (1...15).filter { tiles >> UInt16($0) & 1 == 1 } }

  /// The number of stages, in `1...16`.
  public var count: Int { StageRule.count(kind, tiles: tiles.nonzeroBitCount) }

  private static func count(_ kind: Kind, tiles: Int) -> Int {
    switch kind {
    case .largestTile: tiles + 1
    case .tileSet: 1 << tiles
    }
  }

  /// The stage of a board, in `0..<count`.
  ///
  /// - Parameter planes: its planes, every exponent at most 15.
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
