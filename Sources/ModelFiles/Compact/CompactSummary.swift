import NTupleNetwork

/// The encoding of the weights in a compact file.
public struct CompactSummary: Codable, Hashable, Sendable {
  /// The encoding of one table.
  public struct Table: Codable, Hashable, Sendable {
    /// The number of kept entries.
    public var kept: Int
    /// The weight of code 0, in points.
    public var least: Float
    /// The distance between adjacent levels, in points.
    public var step: Float
    /// The weight of omitted entries, in points.
    public var fill: Float
  }

  /// The number of bits per code.
  public var bits: Int
  /// The rule that decided which entries were omitted; nil if all that differ from the fill were kept.
  public var pruning: Pruning?
  /// The checksum of the file from which the weights were read; nil if it has none.
  public var source: String?
  /// The tables, in the order of the file.
  public var tables: [Table]

  /// The number of kept entries in all tables.
  public var keptCount: Int { tables.reduce(0) { $0 + $1.kept } }

  /// The rule for the error that is accepted for a weight, given how often it is read.
  ///
  /// If a weight is read `reads` times in `games` greedy games, an error `d` of the weight adds
  /// `√((reads + ½) / games) · |d|` to the error of the values in a game. An entry is omitted if this is
  /// less than the tolerance, where `d` is the distance from ``Table/fill`` or, in later stages, from the
  /// weight that is read in its place. Otherwise its code is rounded to a multiple of the largest power of
  /// two whose steps stay within the tolerance.
  ///
  /// The ½ accounts for reads that the games happened not to have. Without it, every entry that was never
  /// read would be omitted, even one with a large weight, which costs far more than it saves.
  public struct Pruning: Codable, Hashable, Sendable {
    /// The error that an entry may add to the values in a game, in points.
    public var tolerance: Double
    /// The number of games in which reads were counted.
    public var games: Int
    /// The seed of the spawns of these games.
    public var seed: UInt64

    /// Creates a rule.
    public init(tolerance: Double, games: Int, seed: UInt64) {
      self.tolerance = tolerance
      self.games = games
      self.seed = seed
    }

    /// Returns the accepted error of a weight, in points.
    func acceptedError(reads: Float) -> Double {
      tolerance / ((Double(reads) + 0.5) / Double(games)).squareRoot()
    }
  }
}

/// The read counts of a network, and the rule for the error that they allow.
public struct Pruning: Sendable {
  /// The number of reads of each weight, in memory order.
  public let reads: SharedWeights
  /// The rule that decides which entries are omitted.
  public let rule: CompactSummary.Pruning

  /// Creates a pruning rule with its read counts.
  public init(reads: SharedWeights, rule: CompactSummary.Pruning) {
    self.reads = reads
    self.rule = rule
  }
}
