import Arena
import Console
import Sweeps

/// The text table of sweep results.
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
      mean scores of the plan's evaluation; 95% intervals: Student's, over the means of the seeds; \
      differences to \(first): Welch's
      """)
    return blocks.joined(separator: "\n\n")
  }

  /// Returns the line about a finished trial.
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
