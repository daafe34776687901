import Arena

/// One line of `metrics.jsonl`: where a run stands, and how the episodes since the last line went.
public struct TrainingReport: Codable, Equatable, Sendable {
  /// Episodes since the run began.
  public var episodes: Int
  /// Moves since the run began.
  public var moves: Int
  /// Seconds since the run began, over all its sessions, with everything they spent them on.
  public var wallSeconds: Double
  /// Of them, the seconds of training, without evaluating and saving; nil in reports of versions that
  /// did not count them.
  public var trainingSeconds: Double?
  /// Moves a second since the last report, while training.
  public var movesPerSecond: Double
  /// The whole games among the episodes since the last report; nil if all were,
  /// and 0 if no episode has ended since.
  public var games: Int?
  /// Mean score of these games, in points; 0 without any. They were played while learning.
  public var meanScore: Double
  /// The highest score among them.
  public var maxScore: Int
  /// The share of them that reached a tile, by tile value.
  public var reached: [String: Double]
  /// The total learning rate in force at the end.
  public var learningRate: Double
  /// Greedy play without learning on fixed seeds, if it took place at this point.
  public var evaluation: Evaluation?

  /// The outcome of an evaluation during training.
  public struct Evaluation: Codable, Equatable, Sendable {
    /// Games played.
    public var games: Int
    /// Their mean score in points.
    public var meanScore: Double
    /// A 95 % bootstrap interval of the mean.
    public var ci95: ConfidenceInterval

    init(games: Int, score: ArenaReport.Score) {
      self.games = games
      meanScore = score.mean
      ci95 = score.ci95
    }
  }
}
