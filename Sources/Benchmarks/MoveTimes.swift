/// The durations of moves with a time budget, in milliseconds.
package struct MoveTimes: Hashable, Codable, Sendable {
  package var median: Double
  package var percentile99: Double
  package var max: Double
  /// The share of moves whose duration was within 10 % or 0.2 ms of the budget.
  package var withinBudget: Double

  /// Computes the statistics of moves; returns nil without moves or without a budget.
  init?(of times: [Double], budget: Double?) {
    guard !times.isEmpty, let budget else { return nil }
    let tolerance = Swift.max(0.1 * budget, 0.2)
    withinBudget =
      Double(times.count { abs($0 - budget) <= tolerance }) / Double(times.count)
    let summary = Summary(of: times)
    median = summary.median
    percentile99 = times.sorted()[(99 * times.count + 99) / 100 - 1]
    max = summary.max
  }
}
