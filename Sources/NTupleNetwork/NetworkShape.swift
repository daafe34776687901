import Game2048

/// The structure of an n-tuple network: which patterns it reads, on which board.
public struct NetworkShape: Hashable, Sendable {
  /// Rows and columns of the board: 2, 3 or 4.
  public let boardSize: Int
  /// The patterns, one table each.
  public let patterns: [Pattern]

  public init(patterns: [Pattern], boardSize: Int = 4) {
    self.patterns = patterns
    self.boardSize = boardSize
  }

  /// The number of features of an afterstate: every pattern in eight symmetries.
  public var featureCount: Int { patterns.count * Symmetries.count }

  /// The number of weights in all tables.
  public var entryCount: Int { patterns.reduce(0) { $0 + $1.entryCount } }

  /// The memory that the weights take, in bytes.
  public var byteCount: Int { entryCount * MemoryLayout<Float>.stride }

  /// The offset of each pattern's table in the weights.
  public var tableOffsets: [Int] {
    var next = 0
    return patterns.map { pattern in
      defer { next += pattern.entryCount }
      return next
    }
  }
}
