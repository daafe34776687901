import Basics
import Foundation
import Play

/// The results of a sweep: a row per variant and budget at which it was evaluated.
///
/// The score of a variant is the mean over its seeds of the mean over the games. Its interval is Student's
/// interval over the means of the seeds. Every seed is trained and evaluated independently, so the spread
/// includes the variance of training and that of the games. The means are assumed to be nearly normal, as
/// means of hundreds of games are. The interval of a difference is Welch's interval over the same means; it
/// ignores that both variants met the same games, which can only make it too wide. No interval is corrected
/// for the number of variants. A variant has no score if its learning diverged with one of its seeds, since the
/// mean of the others would flatter it.
package struct SweepReport: Codable, Equatable, Sendable {
  package var description: String
  /// The number of finished trials, and the number of trials of the plan. Variants that diverged have no trials
  /// after the next rung.
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
    /// The mean score of each seed, in points; nil if its learning diverged.
    package var scores: [Double?]
    /// The mean of ``scores``; nil if learning diverged with a seed.
    package var mean: Double?
    /// The seeds with which learning diverged; nil if there are none.
    package var diverged: [Int]?
    /// The 95 % interval of the mean; nil for fewer than two seeds, and without a mean.
    package var ci95: ConfidenceInterval?
    /// The score minus that of the first variant at the same budget; nil for the first variant, if that was not
    /// evaluated, and if one of them has no mean.
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
    trialsTotal = 0
    rows = []
    // The variants that train on a budget, or nil and their number as long as trials before it are left.
    var survivors: [Int]? = Array(plan.variants.indices)
    var count = plan.variants.count
    for (rung, budget) in plan.budgets.enumerated() {
      trialsTotal += count * plan.seeds.count
      let here = Dictionary(grouping: results.filter { $0.rung == rung }, by: \.variant)
      let first = plan.variants.first.flatMap { here[$0.name] }
      let start = rows.count
      for (place, variant) in plan.variants.enumerated() {
        guard let trials = here[variant.name] else { continue }
        rows.append(
          Row(trials.sorted { $0.seed < $1.seed }, budget, against: place > 0 ? first : nil))
      }
      // All variants end at the last budget.
      guard rung < plan.rungs.count else { continue }
      let selection = survivors.flatMap { plan.selection(from: $0, at: rung, rows) }
      let dropped = Set((selection?.dropped ?? []).map { plan.variants[$0].name })
      for index in start..<rows.count { rows[index].isLast = dropped.contains(rows[index].variant) }
      survivors = selection?.kept
      count = survivors?.count ?? SweepPlan.kept(plan.rungs[rung].keep, of: count)
    }
  }
}

extension SweepPlan {
  /// Returns the variants that continue after a rung and those that are dropped, the best first; nil if trials of the
  /// rung are left.
  ///
  /// Of equal variants, those that the plan names first are better. The first variant continues, too, because the
  /// others are compared with it. A variant that diverged is always dropped.
  ///
  /// - Parameters:
  ///   - survivors: The variants that trained to the rung.
  ///   - rows: The results, also at other rungs.
  func selection(
    from survivors: [Int], at rung: Int, _ rows: [SweepReport.Row]
  ) -> (kept: [Int], dropped: [Int])? {
    let here = Dictionary(
      uniqueKeysWithValues: rows.filter { $0.rung == rung }.map { ($0.variant, $0) })
    let isComplete = survivors.allSatisfy { here[variants[$0].name]?.seeds.count == seeds.count }
    guard isComplete else { return nil }
    func mean(_ variant: Int) -> Double { here[variants[variant].name]?.mean ?? -.infinity }
    let ranked = survivors.sorted { a, b in
      let (first, second) = (mean(a), mean(b))
      return first == second ? a < b : first > second
    }
    let most = SweepPlan.kept(rungs[rung].keep, of: survivors.count)
    let isKept = { (place: Int, variant: Int) in
      (place < most || variant == 0) && mean(variant) > -.infinity
    }
    let kept = ranked.enumerated().filter(isKept).map(\.element)
    return (kept, ranked.filter { !kept.contains($0) })
  }
}

extension SweepReport.Row {
  fileprivate init(
    _ trials: [TrialResult], _ budget: SweepBudget, against first: [TrialResult]?
  ) {
    func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }
    /// Returns the scores of trials; nil if one of them diverged.
    func known(_ trials: [TrialResult]) -> [Double]? {
      let scores = trials.compactMap { $0.score?.mean }
      return scores.count == trials.count ? scores : nil
    }
    variant = trials[0].variant
    rung = trials[0].rung
    self.budget = budget.amount
    budgetUnit = budget.unit.rawValue
    isLast = true
    seeds = trials.map(\.seed)
    scores = trials.map { $0.score?.mean }
    if let scores = known(trials) {
      self.mean = mean(scores)
      ci95 = ConfidenceInterval.mean(of: scores)
      if let others = first.flatMap(known) {
        difference = mean(scores) - mean(others)
        differenceCi95 = ConfidenceInterval.difference(ofMeans: scores, others)
      }
    } else {
      diverged = trials.filter { $0.score == nil }.map(\.seed)
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
  /// `movesPerSecond`, and `seedN` with the mean score of each seed. Missing values are empty. If learning
  /// diverged with a seed, its score and `mean` are `diverged`.
  package var csv: String {
    let seeds = Set(rows.flatMap(\.seeds)).sorted()
    let header =
      [
        "variant", "budget", "unit", "last", "mean", "low", "high", "difference", "differenceLow",
        "differenceHigh", "episodes", "moves", "seconds", "movesPerSecond",
      ] + seeds.map { "seed\($0)" }
    func text(_ number: Double?) -> String { number.map { String(format: "%.10g", $0) } ?? "" }
    func scoreText(_ score: Double?) -> String { score == nil ? "diverged" : text(score) }
    let lines = rows.map { row in
      let words = [
        CommaSeparatedValues.field(row.variant), "\(row.budget)", row.budgetUnit, "\(row.isLast)",
        scoreText(row.mean),
      ]
      let numbers: [Double?] = [
        row.ci95?.low, row.ci95?.high, row.difference, row.differenceCi95?.low,
        row.differenceCi95?.high, row.episodes, row.moves, row.seconds, row.movesPerSecond,
      ]
      let scores = seeds.map { seed in
        row.seeds.firstIndex(of: seed).map { scoreText(row.scores[$0]) } ?? ""
      }
      return (words + numbers.map { text($0) } + scores).joined(separator: ",")
    }
    return ([header.joined(separator: ",")] + lines).joined(separator: "\r\n") + "\r\n"
  }

  /// Returns the rows as JSON, one per line.
  package func jsonLines() throws -> String {
    try rows.map { try JSONEncoder.text($0) + "\n" }.joined()
  }
}
