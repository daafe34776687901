/// The statistics of an arena's games. Encoded as JSON it is the document of `evaluate --json`.
public struct ArenaReport: Hashable, Codable, Sendable {
  /// The number of games that every player has played.
  public var games: Int
  public var seed: UInt64
  public var players: [Player]
  /// Every pair of players, in the order of the players.
  public var comparisons: [Comparison]
  /// Which comparisons a sequential test decided; nil if there was none.
  public var sequential: Sequential?

  /// The statistics of one player.
  public struct Player: Hashable, Codable, Sendable {
    public var name: String
    /// The episodes after which a checkpoint of a learning curve was saved; nil for other players.
    public var episodes: Int?
    public var games: Int
    public var score: Score
    /// The share of games that reached a tile, by the tile's value: from the smallest that a game of any player
    /// ended with, and 2048 in any case.
    public var reached: [String: Double]
    /// Wilson's intervals of ``reached``.
    public var reachedCi95: [String: ConfidenceInterval]
    /// The moves of all games.
    public var moves: Int
    /// ``moves`` by the seconds that the games took by the clock, each on its own thread: the speed of one
    /// thread, as long as every thread has a core.
    public var movesPerSecond: Double
  }

  /// Statistics of a player's scores, in points.
  public struct Score: Hashable, Codable, Sendable {
    public var mean: Double
    /// The percentile bootstrap interval of the mean.
    public var ci95: ConfidenceInterval
    public var median: Double
    public var max: Int
  }

  /// What a ``StoppingRule`` found.
  public struct Sequential: Hashable, Codable, Sendable {
    /// The probability that any of the decisions is wrong, at most.
    public var errorRate: Double
    public var decisions: [Decision]

    /// Which of two players wins more of their paired games.
    public struct Decision: Hashable, Codable, Sendable {
      public var a: String
      public var b: String
      /// The name of the better one; nil if the games did not decide it.
      public var better: String?
      /// The games after which it was decided.
      public var games: Int?

      /// Writes null where nothing was decided, so that the keys are always the same.
      public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(a, forKey: .a)
        try container.encode(b, forKey: .b)
        try container.encode(better, forKey: .better)
        try container.encode(games, forKey: .games)
      }
    }
  }

  /// How much more player `a` scores than player `b`, in games paired by their luck.
  public struct Comparison: Hashable, Codable, Sendable {
    public var a: String
    public var b: String
    /// mean(a) − mean(b), in points.
    public var meanDifference: Double
    public var ci95: ConfidenceInterval
    /// mean(a) / mean(b); nil if mean(b) is 0.
    public var ratio: Double?
    /// nil if mean(b) may be 0.
    public var ratioCi95: ConfidenceInterval?

    /// Writes null where there is no ratio, so that the keys are always the same.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(a, forKey: .a)
      try container.encode(b, forKey: .b)
      try container.encode(meanDifference, forKey: .meanDifference)
      try container.encode(ci95, forKey: .ci95)
      try container.encode(ratio, forKey: .ratio)
      try container.encode(ratioCi95, forKey: .ratioCi95)
    }
  }
}

extension ArenaReport.Player {
  /// The share of games that reached one tile.
  public struct TileRate: Hashable, Sendable {
    public var tile: Int
    public var rate: Double
    /// Wilson's interval of the rate.
    public var ci95: ConfidenceInterval
  }

  /// ``reached`` with intervals, from the smallest tile up.
  public var tileRates: [TileRate] {
    reached.compactMap { text, rate in
      guard let tile = Int(text), let interval = reachedCi95[text] else { return nil }
      return TileRate(tile: tile, rate: rate, ci95: interval)
    }.sorted { $0.tile < $1.tile }
  }
}
