import Arena

/// The result of a trial: a variant, trained with one seed up to one budget.
///
/// As JSON it is a line of `trials.jsonl`.
package struct TrialResult: Codable, Equatable, Sendable {
  package var variant: String
  package var seed: Int
  /// The index of the budget in ``SweepPlan/budgets``.
  package var rung: Int
  /// The training since the beginning of the trial.
  package var episodes: Int
  package var moves: Int
  /// The training time in seconds, without evaluating and saving.
  package var seconds: Double
  /// The number of games of the evaluation, their seed, and their scores in points.
  package var games: Int
  package var evaluationSeed: UInt64
  package var score: ArenaReport.Score
  /// The share of the games that reached a tile, by tile value.
  package var reached: [String: Double]
}
