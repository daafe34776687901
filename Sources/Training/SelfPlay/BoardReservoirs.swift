import Game2048

/// Boards of every kind that has been met, from which restarts are drawn evenly.
///
/// A full reservoir replaces one of its boards at random, so that it holds mostly recent ones.
struct BoardReservoirs: Sendable {
  /// The kinds, ascending.
  private var kinds: [BoardKind] = []
  /// The boards of each kind, in the order of the kinds; there is at least one.
  private(set) var content: [[Board]] = []

  /// Adds a board of a kind.
  mutating func insert(
    _ board: Board, of kind: BoardKind, using source: inout some RandomSource
  ) {
    let place = kinds.firstIndex { $0 >= kind } ?? kinds.count
    guard place < kinds.count, kinds[place] == kind else {
      kinds.insert(kind, at: place)
      content.insert([board], at: place)
      return
    }
    let count = content[place].count
    if count < StartSettings.reservoirCapacity {
      content[place].append(board)
    } else {
      content[place][UniformDistribution(0...(count - 1)).next(using: &source)] = board
    }
  }

  /// Returns a random board of a random kind, each evenly, or nil if there are none.
  func draw(using source: inout some RandomSource) -> Board? {
    guard !kinds.isEmpty else { return nil }
    let kept = content[UniformDistribution(0...(kinds.count - 1)).next(using: &source)]
    return kept[UniformDistribution(0...(kept.count - 1)).next(using: &source)]
  }
}

extension BoardReservoirs {
  /// Restores saved reservoirs, or returns nil if no reservoirs can have this content.
  ///
  /// - Parameters:
  ///   - boards: The boards of each kind, in the order of the kinds.
  ///   - exponent: An exponent that every board has, or a larger one.
  init?(_ boards: [[Board]], exponent: Int) {
    for kept in boards {
      guard let first = kept.first, kept.count <= StartSettings.reservoirCapacity else {
        return nil
      }
      let kind = BoardKind(of: first)
      guard kinds.last.map({ $0 < kind }) ?? true,
        kept.allSatisfy({ BoardKind(of: $0) == kind && $0.largestTileExponent >= exponent })
      else { return nil }
      kinds.append(kind)
    }
    content = boards
  }
}

/// The kind of a late board: its largest tile, how far the chain below it is built, and its largest loose
/// tile.
///
/// The chain consists of the largest tile, its half, and so on, without a gap. All other tiles are
/// loose, including repeated tiles of the chain. Tiles below 256 do not count, because they change
/// too quickly. There are at most ``largestCount`` kinds.
struct BoardKind: Hashable, Comparable, Sendable {
  /// The exponent of the largest tile, the length of the chain, and the exponent of the largest loose tile,
  /// five bits each.
  private let code: Int

  /// The largest number of kinds: 8 of boards without a tile of 256, and with a largest tile `1 << n` of up
  /// to 131072 a chain of 1 to n − 7 tiles and one of n − 6 loose tiles.
  static let largestCount = 8 + (8...17).reduce(0) { $0 + ($1 - 7) * ($1 - 6) }

  /// The exponent of the smallest tile that counts: 256.
  private static let leastExponent = 8

  /// Returns the kind of a board.
  init(of board: Board) {
    // Bit `e` stands for the tile `1 << e`.
    var (present, repeated): (UInt32, UInt32) = (0, 0)
    var cells = UInt16(truncatingIfNeeded: board.planes >> 48) | board.highPlane
    while cells != 0 {
      let tile: UInt32 = 1 << UInt32(board[cells.trailingZeroBitCount])
      repeated |= present & tile
      present |= tile
      cells &= cells &- 1
    }
    guard present != 0 else {
      code = board.largestTileExponent << 10
      return
    }
    let largest = 31 - present.leadingZeroBitCount
    var chain = 1
    while largest - chain >= BoardKind.leastExponent, present >> UInt32(largest - chain) & 1 == 1 {
      chain += 1
    }
    let loose = present & ((1 << UInt32(largest - chain + 1)) - 1) | repeated
    code = largest << 10 | chain << 5 | (loose == 0 ? 0 : 31 - loose.leadingZeroBitCount)
  }

  static func < (a: BoardKind, b: BoardKind) -> Bool { a.code < b.code }
}
