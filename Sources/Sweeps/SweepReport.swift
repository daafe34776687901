import Arena
import Foundation

/// The results of a sweep: a row per variant and budget at which it was evaluated.
///
/// The score of a variant is the mean over its seeds of the mean over the games. Its interval is Student's
/// interval over the means of the seeds. Every seed is trained and evaluated independently, so the spread
/// includes the variance of training and that of the games. The means are assumed to be nearly normal, as
/// means of hundreds of games are. The interval of a difference is Welch's interval over the same means; it
/// ignores that both variants met the same games, which can only make it too wide. No interval is corrected
/// for the number of variants.
package struct SweepReport: Codable, Equatable, Sendable {
  package var description: String
  /// The number of finished trials, and the number of trials of the plan.
  package var trialsDone: Int
  package var trialsTotal: Int
  package var rows: [Row]

  /// The result of a variant at one budget.
  package struct Row: Codable, Equatable, Sendable {
    package var variant: String
    /// The index of the budget from 0, and the budget.
    package var rung: Int
    package var budget: Double
    package var budgetUnit: String
    /// Whether the variant ended here, because it was dropped or used the whole budget.
    package var isLast: Bool
    package var seeds: [Int]
    /// The mean score of each seed, in points.
    package var scores: [Double]
    package var mean: Double
    /// The 95 % interval of the mean; nil for fewer than two seeds.
    package var ci95: ConfidenceInterval?
    /// The score minus that of the first variant at the same budget; nil for the first variant, and if that
    /// was not evaluated.
    package var difference: Double?
    package var differenceCi95: ConfidenceInterval?
    /// The means over the seeds.
    package var episodes: Double
    package var moves: Double
    package var seconds: Double
    /// The training speed over all seeds.
    package var movesPerSecond: Double
  }

  /// Creates the report of the finished trials.
  package init(_ plan: SweepPlan, _ results: [TrialResult]) {
    description = plan.description
    trialsDone = results.count
    trialsTotal = plan.variantCounts.reduce(0, +) * plan.seeds.count
    rows = []
    for (rung, budget) in plan.budgets.enumerated() {
      let here = Dictionary(grouping: results.filter { $0.rung == rung }, by: \.variant)
      let first = plan.variants.first.flatMap { here[$0.name] }
      for (place, variant) in plan.variants.enumerated() {
        guard let trials = here[variant.name] else { continue }
        let goesOn = results.contains { $0.variant == variant.name && $0.rung > rung }
        rows.append(
          Row(
            trials.sorted { $0.seed < $1.seed }, budget, against: place > 0 ? first : nil,
            isLast: !goesOn))
      }
    }
  }
}

extension SweepReport.Row {
  fileprivate init(
    _ trials: [TrialResult], _ budget: SweepBudget, against first: [TrialResult]?, isLast: Bool
  ) {
    func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }
    variant = trials[0].variant
    rung = trials[0].rung
    self.budget = budget.amount
    budgetUnit = budget.unit.rawValue
    self.isLast = isLast
    seeds = trials.map(\.seed)
    scores = trials.map(\.score.mean)
    self.mean = mean(scores)
    ci95 = ConfidenceInterval.mean(of: scores)
    if let others = first?.map(\.score.mean) {
      difference = mean(scores) - mean(others)
      differenceCi95 = ConfidenceInterval.difference(ofMeans: scores, others)
    }
    episodes = mean(trials.map { Double($0.episodes) })
    moves = mean(trials.map { Double($0.moves) })
    seconds = mean(trials.map(\.seconds))
    movesPerSecond = seconds > 0 ? moves / seconds : 0
  }
}

extension SweepReport {
  /// The rows as a CSV table.
  ///
  /// The columns are `variant`, `budget`, `unit`, `last` (whether the variant ended here), `mean`, `low` and
  /// `high` (its interval), `difference` with its interval, `episodes`, `moves`, `seconds`,
  /// `movesPerSecond`, and `seedN` with the mean score of each seed. Missing values are empty.
  ///
  /// Source: RFC 4180.
  package var csv: String {
    let seeds = Set(rows.flatMap(\.seeds)).sorted()
    let header =
      [
        "variant", "budget", "unit", "last", "mean", "low", "high", "difference", "differenceLow",
        "differenceHigh", "episodes", "moves", "seconds", "movesPerSecond",
      ] + seeds.map { "seed\($0)" }
    let lines = rows.map { row in
      let numbers: [Double?] =
        [
          row.mean, row.ci95?.low, row.ci95?.high, row.difference, row.differenceCi95?.low,
          row.differenceCi95?.high, row.episodes, row.moves, row.seconds, row.movesPerSecond,
        ] + seeds.map { seed in row.seeds.firstIndex(of: seed).map { row.scores[$0] } }
      let words = [
        "\"" + row.variant.replacing("\"", with: "\"\"") + "\"", "\(row.budget)", row.budgetUnit,
        "\(row.isLast)",
      ]
      return (words + numbers.map { $0.map { String(format: "%.10g", $0) } ?? "" })
        .joined(separator: ",")
    }
    return ([header.joined(separator: ",")] + lines).joined(separator: "\r\n") + "\r\n"
  }

  /// Returns the rows as JSON, one per line.
  package func jsonLines() throws -> String {
    try rows.map { try JSONEncoder.text($0) + "\n" }.joined()
  }
}
