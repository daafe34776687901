import Arena

/// What a sweep has found: a row for every variant at every budget that it was evaluated at.
///
/// A variant's score is the mean over its seeds of the mean over the games. Its interval is Student's
/// over the seeds' means: every seed trains and is evaluated on its own, so that their spread holds the
/// variance of training and that of the games alike. That takes the seeds' means to be nearly normal, as
/// means of hundreds of games are. The interval of a difference is Welch's, over the same means; that both
/// variants met the same games can only make it wider than it need be. No interval is corrected for the
/// number of variants compared.
package struct SweepReport: Codable, Equatable, Sendable {
  package var description: String
  /// The trials that are done, and those that the plan has in all.
  package var trialsDone: Int
  package var trialsTotal: Int
  package var rows: [Row]

  /// One variant at one budget.
  package struct Row: Codable, Equatable, Sendable {
    package var variant: String
    /// The place of the budget, from 0, and the budget itself.
    package var rung: Int
    package var budget: Double
    package var budgetUnit: String
    /// Whether the variant went no further, because it was dropped or the budget is the whole.
    package var isLast: Bool
    package var seeds: [Int]
    /// The mean score of each seed, in points.
    package var scores: [Double]
    package var mean: Double
    /// Of the mean; nil for fewer than two seeds.
    package var ci95: ConfidenceInterval?
    /// How much more the variant scores than the first one at the same budget; nil for that itself, and
    /// where it was not evaluated.
    package var difference: Double?
    package var differenceCi95: ConfidenceInterval?
    /// Means over the seeds.
    package var episodes: Double
    package var moves: Double
    package var seconds: Double
    /// Of all seeds together, while training.
    package var movesPerSecond: Double
  }

  /// The report of the trials that are done.
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
