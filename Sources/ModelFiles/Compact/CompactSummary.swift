/// How a compact file stands for its weights, and what it leaves out.
public struct CompactSummary: Codable, Hashable, Sendable {
  /// One table.
  public struct Table: Codable, Hashable, Sendable {
    /// The entries that are kept.
    public var kept: Int
    /// The weight of code 0, in points.
    public var least: Float
    /// The distance between neighbouring weights, in points.
    public var step: Float
    /// The weight of all entries that are left out, in points.
    public var fill: Float
  }

  /// The bits of a code.
  public var bits: Int
  /// What decided which entries are left out; nil if all that differ from the fill are kept.
  public var pruning: Pruning?
  /// The checksum of the file that the weights were read from, if it has one.
  public var source: String?
  /// The tables, in the order of the file.
  public var tables: [Table]

  /// The entries that are kept, in all tables.
  public var keptCount: Int { tables.reduce(0) { $0 + $1.kept } }

  /// How much error is accepted, by how often an entry is read.
  ///
  /// With `reads` counted in `games` greedy games, an error `d` of a weight adds
  /// `√((reads + ½) / games) · |d|` to the error of the values met in a game. An entry is left out if that
  /// is less than the tolerance for its distance from ``Table/fill``, or in later stages from what the
  /// file then reads in its place; else its code is rounded to the largest power of two whose steps
  /// stay within the tolerance. The half stands for the games that were not played: without it an
  /// entry that was never read would go whatever its weight, which costs far more than it saves.
  public struct Pruning: Codable, Hashable, Sendable {
    /// The error that an entry may add to the values met in a game, in points.
    public var tolerance: Double
    /// The games that reads were counted in, and the seed of their spawns.
    public var games: Int
    public var seed: UInt64

    public init(tolerance: Double, games: Int, seed: UInt64) {
      self.tolerance = tolerance
      self.games = games
      self.seed = seed
    }
  }
}
