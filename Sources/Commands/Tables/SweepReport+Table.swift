import Basics
import Experiments
import Foundation
import Play

extension SweepReport {
  /// The results as text: a table for each budget.
  var table: String {
    let rungs = Set(rows.map(\.rung)).sorted()
    let blocks = rungs.map { rung in
      let rows = rows.filter { $0.rung == rung }
      let title = "after \(NumberText.grouped(rows[0].budget)) \(rows[0].budgetUnit)"
      return ((rungs.count > 1 ? [title] : []) + table(rows)).joined(separator: "\n")
    }
    let note = """
      mean scores of the plan's evaluation; 95% intervals: Student's, over the means of the seeds; \
      differences to \(rows.first?.variant ?? ""): Welch's
      """
    return (blocks + [wrapped(note)]).joined(separator: "\n\n")
  }

  private func table(_ rows: [Row]) -> [String] {
    func text(_ score: Double?) -> String { score.map { NumberText.grouped($0) } ?? "diverged" }
    let header = [
      "variant", "mean", "95% interval", "difference", "95% interval", "moves", "seconds",
      "moves/s", "score of each seed",
    ]
    return alignedTable(
      [header]
        + rows.map { row in
          [
            row.variant, text(row.mean), row.ci95?.text ?? "-",
            row.difference.map(NumberText.signed) ?? "-", row.differenceCi95?.text ?? "-",
            NumberText.rate(row.moves), NumberText.grouped(row.seconds),
            NumberText.rate(row.movesPerSecond),
            row.scores.map(text).joined(separator: " "),
          ]
        })
  }
}

extension ConfidenceInterval {
  /// The interval as `[low, high]`, in whole numbers.
  var text: String { "[\(NumberText.grouped(low)), \(NumberText.grouped(high))]" }

  /// Returns a share with this interval, in percent.
  func percent(_ share: Double, format: String = "%.1f") -> String {
    String(format: format + "%% [%.1f, %.1f]", 100 * share, 100 * low, 100 * high)
  }
}
