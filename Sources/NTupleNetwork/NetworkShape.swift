import Game2048

/// The structure of an n-tuple network: which patterns it reads, on which board, in which stages.
public struct NetworkShape: Hashable, Sendable {
  /// Rows and columns of the board: 2, 3 or 4.
  public let boardSize: Int
  /// The patterns, one table each.
  public let patterns: [Pattern]
  /// The stages of the game, each with a table for every pattern.
  public let stages: StageRule
  /// From which tile on boards are read with their largest tiles downgraded. Stages go by the board as it is.
  public let downgrading: Downgrading

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
    public let stage: Int
    public let pattern: Pattern
    /// Where the table starts in the weights.
    public let offset: Int
  }

  /// All tables, stage by stage and in the order of the patterns.
  public var tables: [Table] {
    let (offsets, stride) = (tableOffsets, stageStride)
    return (0..<stages.count).flatMap { stage in
      zip(patterns, offsets).map { pattern, offset in
        Table(stage: stage, pattern: pattern, offset: stage * stride + offset)
      }
    }
  }

  /// The number of features of an afterstate: every pattern in eight symmetries.
  public var featureCount: Int { patterns.count * Symmetries.count }

  /// The number of weights in all tables.
  public var entryCount: Int { stages.count * patterns.reduce(0) { $0 + $1.entryCount } }

  /// The number of entries that the tables take in memory, with the gaps between them.
  public var storageCount: Int { (stages.count - 1) * stageStride + stageStorageCount }

  /// The distance between an entry and the same entry of the next stage.
  public var stageStride: Int { stageStorageCount + NetworkShape.gap }

  /// The number of entries that the tables of one stage take, with the gaps between them.
  public var stageStorageCount: Int {
    (tableOffsets.last ?? 0) + (patterns.last?.entryCount ?? 0)
  }

  /// The memory that the weights take, in bytes.
  public var byteCount: Int { storageCount * MemoryLayout<Float>.stride }

  /// The offset of each pattern's table of the first stage in the weights.
  ///
  /// The most used entries of a large table are its first. Were tables to start at multiples of a
  /// power of two, these would share the few sets of a cache that such addresses map to; a gap after
  /// each large table spreads them.
  public var tableOffsets: [Int] {
    var next = 0
    return patterns.map { pattern in
      defer {
        next += pattern.entryCount
        if pattern.entryCount >= NetworkShape.leastCountWithGap { next += NetworkShape.gap }
      }
      return next
    }
  }

  private static let leastCountWithGap = 1 << 16
  /// 517 cache lines of 16 entries: odd, and a quarter of the sets of a usual second-level cache.
  private static let gap = 517 * 16
}
