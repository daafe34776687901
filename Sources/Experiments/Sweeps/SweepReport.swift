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
package struct SweepReport: Equatable, Sendable {
  package var description: String
  package var trialsDone: Int
  package var trialsTotal: Int
  package var rows: [Row]

  /// The result of a variant at one budget. ``fields`` documents the properties.
  package struct Row: Equatable, Sendable {
    package var variant: String
    package var rung: Int
    package var budget: Double
    package var budgetUnit: String
    /// Whether the variant ended here, because it was dropped or used the whole budget.
    package var isLast: Bool
    package var seeds: [Int]
    package var scores: [Double?]
    package var mean: Double?
    package var diverged: [Int]?
    package var ci95: ConfidenceInterval?
    package var difference: Double?
    package var differenceCi95: ConfidenceInterval?
    package var episodes: Double
    package var moves: Double
    package var seconds: Double
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

extension SweepReport: Document {
  package static let fields: [Field<SweepReport>] = [
    Field("description", \.description, "The description of the plan."),
    Field("trialsDone", \.trialsDone, "The number of finished trials."),
    Field(
      "trialsTotal", \.trialsTotal,
      "The number of trials of the plan. A variant that diverged has no trials after the next rung."
    ),
    Field("rows", \.rows),
  ]
}

extension SweepReport.Row: Document {
  package static let fields: [Field<SweepReport.Row>] = [
    Field("variant", \.variant, "The name of the variant.").column("variant") { $0.variant },
    Field("rung", \.rung, "The index of the budget, from 0."),
    Field("budget", \.budget, "The budget."),
    Field("budgetUnit", \.budgetUnit, "`seconds`, `moves` or `episodes`."),
    Field("isLast", \.isLast, "Whether the variant ended at this budget."),
    Field("seeds", \.seeds, "The seeds."),
    Field(
      optional: "diverged", \.diverged,
      "The seeds with which learning diverged; missing without such seeds."),
    Field(
      optional: "mean", \.mean, unit: "points",
      "The mean of the scores; missing if learning diverged with a seed."
    ).column("mean") { text($0.mean) },
    Field(
      optional: "ci95", \.ci95, unit: "points",
      "Its 95 % interval, as `[low, high]`; missing for one seed, and without a mean."
    ).column("95% interval") { $0.ci95?.text },
    Field(
      optional: "difference", \.difference, unit: "points",
      "The mean minus that of the first variant; missing for the first variant, and if one of them has no mean."
    ).column("difference") { $0.difference.map(NumberText.signed) },
    Field(
      optional: "differenceCi95", \.differenceCi95, unit: "points",
      "Its 95 % interval; missing for one seed, and without a difference."
    ).column("95% interval") { $0.differenceCi95?.text },
    Field("episodes", \.episodes, "The mean number of episodes."),
    Field("moves", \.moves, "The mean number of moves.")
      .column("moves") { NumberText.rate($0.moves) },
    Field("seconds", \.seconds, unit: "s", "The mean training time.")
      .column("seconds") { NumberText.grouped($0.seconds) },
    Field("movesPerSecond", \.movesPerSecond, unit: "moves/s", "The training speed over all seeds.")
      .column("moves/s") { NumberText.rate($0.movesPerSecond) },
    Field(
      "scores", \.scores, unit: "points",
      "The mean score of each seed; null if its learning diverged."
    )
    .column("score of each seed") { $0.scores.map(text).joined(separator: " ") },
  ]

  private static func text(_ score: Double?) -> String {
    score.map { NumberText.grouped($0) } ?? "diverged"
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
    try rows.map { try JSONEncoder.text($0.json) + "\n" }.joined()
  }
}
