/// The statistics of an arena run. `evaluate --json` prints it as JSON.
public struct ArenaReport: Hashable, Codable, Sendable {
  /// The number of games that every player has played.
  public var games: Int
  /// The seed of the spawns.
  public var seed: UInt64
  /// The number of different boards from which the games were played; nil for whole games.
  public var startBoards: Int?
  /// The statistics of each player, in the order of the contestants.
  public var players: [Player]
  /// The comparisons of all pairs of players, in the order of the players.
  public var comparisons: [Comparison]
  /// The decisions of the sequential tests; nil without a stopping rule.
  public var sequential: Sequential?

  /// The statistics of one player.
  public struct Player: Hashable, Codable, Sendable {
    public var name: String
    /// For a checkpoint of a learning curve, the episodes trained before it was saved; otherwise nil.
    public var episodes: Int?
    public var games: Int
    /// The checksum of the weights of the player's network, or of its file if that has none; nil without a network.
    public var weights: String?
    public var score: Score
    /// The share of games that reached a tile, keyed by the value of the tile.
    ///
    /// The tiles range from the smallest to the largest one with which a game of any player ended, and always
    /// include 2048. Of games from given boards, only those count whose board had no such tile and no
    /// larger one, and the tiles begin with the first one that some board did not have.
    public var reached: [String: Double]
    /// Wilson's interval of each share in ``reached``.
    public var reachedCi95: [String: ConfidenceInterval]
    /// The number of moves in all games.
    public var moves: Int
    /// The number of moves divided by the sum of the games' durations, in moves per second.
    ///
    /// This is the speed of one thread, provided that every thread has a core.
    public var movesPerSecond: Double
  }

  /// Statistics of a player's scores, in points.
  public struct Score: Hashable, Codable, Sendable {
    public var mean: Double
    /// The percentile bootstrap interval of the mean; for a single game, its score twice.
    public var ci95: ConfidenceInterval
    public var median: Double
    public var max: Int
  }

  /// The decisions of a ``StoppingRule``.
  public struct Sequential: Hashable, Codable, Sendable {
    /// The upper bound of the probability that any of the decisions is wrong.
    public var errorRate: Double
    public var decisions: [Decision]

    /// The decision which of two players wins more of their paired games.
    public struct Decision: Hashable, Codable, Sendable {
      public var a: String
      public var b: String
      /// The name of the better player; nil if the comparison is undecided.
      public var better: String?
      /// The number of games after which the comparison was decided; nil if it is undecided.
      public var games: Int?

      /// Encodes an undecided comparison with null values, so that the keys are always the same.
      public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(a, forKey: .a)
        try container.encode(b, forKey: .b)
        try container.encode(better, forKey: .better)
        try container.encode(games, forKey: .games)
      }
    }
  }

  /// The comparison of the scores of players `a` and `b` in paired games.
  public struct Comparison: Hashable, Codable, Sendable {
    public var a: String
    public var b: String
    /// mean(a) − mean(b), in points.
    public var meanDifference: Double
    /// The interval of ``meanDifference``.
    public var ci95: ConfidenceInterval
    /// mean(a) / mean(b); nil if mean(b) is 0.
    public var ratio: Double?
    /// The interval of ``ratio``; nil if mean(b) is 0 in a resample.
    public var ratioCi95: ConfidenceInterval?
    /// For games from given boards: the share of games of `a` that reached a tile minus that of `b`, keyed by
    /// the value of the tile; nil for whole games.
    public var reachedDifference: [String: Double]?
    /// The intervals of ``reachedDifference``.
    public var reachedDifferenceCi95: [String: ConfidenceInterval]?

    /// Encodes a missing ratio as null, so that the keys are always the same.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(a, forKey: .a)
      try container.encode(b, forKey: .b)
      try container.encode(meanDifference, forKey: .meanDifference)
      try container.encode(ci95, forKey: .ci95)
      try container.encode(ratio, forKey: .ratio)
      try container.encode(ratioCi95, forKey: .ratioCi95)
      try container.encodeIfPresent(reachedDifference, forKey: .reachedDifference)
      try container.encodeIfPresent(reachedDifferenceCi95, forKey: .reachedDifferenceCi95)
    }
  }
}

extension ArenaReport.Player {
  /// The shares in ``reached`` with their intervals, by increasing tile.
  public var tileRates: [(tile: Int, rate: Double, ci95: ConfidenceInterval)] {
    reached.compactMap { text, rate in
      guard let tile = Int(text), let interval = reachedCi95[text] else { return nil }
      return (tile, rate, interval)
    }.sorted { $0.tile < $1.tile }
  }
}
