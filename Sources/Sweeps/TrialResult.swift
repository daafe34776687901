import Arena

/// What a trial came to: a variant, trained with one seed up to one budget. As JSON it is a line of
/// `trials.jsonl`.
package struct TrialResult: Codable, Equatable, Sendable {
  package var variant: String
  package var seed: Int
  /// The place of the budget in ``SweepPlan/budgets``.
  package var rung: Int
  /// Training, since the trial began.
  package var episodes: Int
  package var moves: Int
  /// Seconds spent training, without evaluating and saving.
  package var seconds: Double
  /// The evaluation's greedy games, in points, and the seed that decided them.
  package var games: Int
  package var evaluationSeed: UInt64
  package var score: ArenaReport.Score
  /// The share of them that reached a tile, by tile value.
  package var reached: [String: Double]
}
