import Arena
import Console
import Sweeps

/// The results of a sweep as a table for people.
enum SweepTable {
  static func text(_ report: SweepReport) -> String {
    let rungs = Set(report.rows.map(\.rung)).sorted()
    var blocks = rungs.map { rung in
      let rows = report.rows.filter { $0.rung == rung }
      let budget = rows[0].budget
      let title =
        rungs.count > 1
        ? ["after \(NumberText.grouped(budget)) \(rows[0].budgetUnit)"] : []
      return (title + table(rows)).joined(separator: "\n")
    }
    let first = report.rows.first?.variant ?? ""
    blocks.append(
      """
      mean score in the games of the plan's evaluation; intervals: 95 %, Student's over the seeds' means; \
      differences: to \(first), Welch's
      """)
    return blocks.joined(separator: "\n\n")
  }

  /// One trial, as it ends.
  static func line(_ result: TrialResult) -> String {
    """
    \(result.variant), seed \(result.seed): \(NumberText.grouped(result.score.mean)) \
    \(interval(result.score.ci95)) after \(NumberText.grouped(result.episodes)) episodes, \
    \(NumberText.rate(Double(result.moves))) moves, \(NumberText.duration(result.seconds))
    """
  }

  private static func table(_ rows: [SweepReport.Row]) -> [String] {
    let header = [
      "variant", "mean", "95% interval", "difference", "95% interval", "moves", "seconds",
      "moves/s", "score of each seed",
    ]
    return ReportTable.aligned(
      [header]
        + rows.map { row in
          [
            row.variant, NumberText.grouped(row.mean), row.ci95.map(interval) ?? "-",
            row.difference.map(signed) ?? "-", row.differenceCi95.map(interval) ?? "-",
            NumberText.rate(row.moves), NumberText.grouped(row.seconds),
            NumberText.rate(row.movesPerSecond),
            row.scores.map { NumberText.grouped($0) }.joined(separator: " "),
          ]
        })
  }

  private static func signed(_ value: Double) -> String {
    (value >= 0 ? "+" : "") + NumberText.grouped(value)
  }

  private static func interval(_ interval: ConfidenceInterval) -> String {
    "[\(NumberText.grouped(interval.low)), \(NumberText.grouped(interval.high))]"
  }
}
