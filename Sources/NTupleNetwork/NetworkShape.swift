import Game2048

/// The structure of an n-tuple network: its patterns, board size, stages and downgrading.
public struct NetworkShape: Hashable, Sendable {
  /// The number of rows of the board, which is also the number of columns: 2, 3 or 4.
  public let boardSize: Int
  /// The patterns, each with a table per stage.
  public let patterns: [Pattern]
  /// The stages of the game, each with a table for every pattern.
  public let stages: StageRule
  /// The tile size from which boards are read downgraded. The stage is that of the real board, but a board
  /// with a tile above 32768 is downgraded below 65536 first.
  public let downgrading: Downgrading

  /// Creates a shape.
  public init(
    patterns: [Pattern], boardSize: Int = 4, stages: StageRule = .single,
    downgrading: Downgrading = .none
  ) {
    self.patterns = patterns
    self.boardSize = boardSize
    self.stages = stages
    self.downgrading = downgrading
  }

  /// One table of the network.
  public struct Table: Hashable, Sendable {
    /// The stage, counted from 0.
    public let stage: Int
    /// The pattern.
    public let pattern: Pattern
    /// The offset of the first entry in the weights.
    public let offset: Int
  }

  /// All tables, stage by stage, in the order of the patterns.
  public var tables: [Table] {
    let (offsets, stride) = (tableOffsets, stageStride)
    return (0..<stages.count).flatMap { stage in
      zip(patterns, offsets).map { pattern, offset in
        Table(stage: stage, pattern: pattern, offset: stage * stride + offset)
      }
    }
  }

  /// The number of features of an afterstate: eight per pattern.
  public var featureCount: Int { patterns.count * Symmetries.count }

  /// The number of weights in all tables.
  public var entryCount: Int { stages.count * patterns.reduce(0) { $0 + $1.entryCount } }

  /// The number of entries that all tables take in memory, including the gaps between them.
  public var storageCount: Int { (stages.count - 1) * stageStride + stageStorageCount }

  /// The distance between an entry and the same entry of the next stage.
  package var stageStride: Int { stageStorageCount + NetworkShape.gap }

  /// The number of entries that the tables of one stage take, including the gaps between them.
  package var stageStorageCount: Int {
    (tableOffsets.last ?? 0) + (patterns.last?.entryCount ?? 0)
  }

  /// The size of the weights in memory, in bytes.
  public var byteCount: Int { storageCount * MemoryLayout<Float>.stride }

  /// The offset of each pattern's table in the first stage, in entries.
  ///
  /// The busiest entries of a large table are its first. If all tables started at multiples of a power
  /// of two, these entries would compete for the same few sets of a cache. A gap after each large
  /// table spreads them.
  package var tableOffsets: [Int] {
    var next = 0
    return patterns.map { pattern in
      defer {
        next += pattern.entryCount
        if pattern.entryCount >= NetworkShape.leastCountWithGap { next += NetworkShape.gap }
      }
      return next
    }
  }

  /// The number of entries from which a table is followed by a gap.
  private static let leastCountWithGap = 1 << 16
  /// The size of a gap in entries: 517 cache lines of 16 entries. 517 is odd, and about a quarter of
  /// the number of sets of a typical second-level cache.
  private static let gap = 517 * 16
}
