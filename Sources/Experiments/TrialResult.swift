import Arena

/// What a trial came to: a variant, trained with one seed up to one budget. As JSON it is a line of
/// `trials.jsonl`.
public struct TrialResult: Codable, Equatable, Sendable {
  public var variant: String
  public var seed: Int
  /// The place of the budget in ``SweepPlan/budgets``.
  public var rung: Int
  /// Training, since the trial began.
  public var episodes: Int
  public var moves: Int
  /// Seconds spent training, without evaluating and saving.
  public var seconds: Double
  /// The evaluation's greedy games, in points, and the seed that decided them.
  public var games: Int
  public var evaluationSeed: UInt64
  public var score: ArenaReport.Score
  /// The share of them that reached a tile, by tile value.
  public var reached: [String: Double]
}
