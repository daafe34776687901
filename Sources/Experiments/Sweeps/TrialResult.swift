import Basics
import Play

/// The result of a trial: a variant, trained with one seed up to one budget.
///
/// As JSON it is a line of `trials.jsonl`.
package struct TrialResult: Codable, Equatable, Sendable {
  package var variant: String
  package var seed: Int
  /// The index of the budget in ``SweepPlan/budgets``.
  package var rung: Int
  /// True if learning diverged, which leaves nothing to evaluate; otherwise nil.
  package var diverged: Bool?
  /// The training since the beginning of the trial.
  package var episodes: Int
  package var moves: Int
  /// The training time in seconds, without evaluating and saving. If learning diverged, these are included.
  package var seconds: Double
  /// The number of games of the evaluation, their seed, and their scores in points.
  package var games: Int
  package var evaluationSeed: UInt64
  /// Nil if learning diverged.
  package var score: ArenaReport.Score?
  /// The share of the games that reached a tile, by tile value.
  package var reached: [String: Double]
}

extension TrialResult {
  /// Whether the numbers can be those of a trial.
  fileprivate var isPossible: Bool {
    let counts = [episodes, moves, games]
    guard counts.allSatisfy({ InputLimit.count.allows($0) }), (0..<1e12).contains(seconds) else {
      return false
    }
    guard let score else { return diverged == true && games == 0 && reached.isEmpty }
    let points = [score.mean, score.median, score.ci95.low, score.ci95.high]
    let most = Double(InputLimit.countOfEpisode.most)
    return diverged != true && games > 0 && points.allSatisfy { (0...most).contains($0) }
      && InputLimit.countOfEpisode.allows(score.max)
      && reached.values.allSatisfy { (0...1).contains($0) }
  }
}

/// A check of results that a file claims, one after the other.
struct TrialCheck {
  /// A trial of the plan.
  private struct Key: Hashable {
    let variant: String
    let seed: Int
    let rung: Int
  }

  private let variants: Set<String>
  private let seeds: Set<Int>
  private let rungs: Range<Int>
  private var known: Set<Key> = []

  /// What is wrong with a line that no trial has written, and what to do.
  static let notAResult = (
    problem: "not the result of a trial", remedy: "remove the line to repeat that trial"
  )

  init(_ plan: SweepPlan) {
    variants = Set(plan.variants.map(\.name))
    seeds = Set(plan.seeds)
    rungs = plan.budgets.indices
  }

  /// Returns what is wrong with the next result, and what to do; nil if it can be one of the plan's.
  mutating func problem(of result: TrialResult) -> (problem: String, remedy: String)? {
    guard variants.contains(result.variant), seeds.contains(result.seed),
      rungs.contains(result.rung)
    else { return (problem: "not a trial of the plan", remedy: "remove the line") }
    guard result.isPossible else { return TrialCheck.notAResult }
    let key = Key(variant: result.variant, seed: result.seed, rung: result.rung)
    if known.insert(key).inserted { return nil }
    return (problem: "the second result of a trial", remedy: "remove the line")
  }
}
