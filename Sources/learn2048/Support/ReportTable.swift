import Arena
import Console
import Foundation

/// The results of an evaluation as a table for people.
enum ReportTable {
  static func text(_ report: ArenaReport) -> String {
    let tiles = report.players.first?.tileRates.map { String($0.tile) } ?? []
    var rows = [["player", "games", "mean", "95% interval", "median", "max"] + tiles + ["moves/s"]]
    for player in report.players {
      let score = player.score
      rows.append(
        [
          player.name, NumberText.grouped(player.games), NumberText.grouped(score.mean),
          interval(score.ci95), NumberText.grouped(score.median), NumberText.grouped(score.max),
        ] + player.tileRates.map { NumberText.percent($0.rate) }
          + [NumberText.rate(player.movesPerSecond)])
    }
    var lines = aligned(rows)
    if !report.comparisons.isEmpty { lines.append("") }
    for comparison in report.comparisons {
      lines.append("\(comparison.a) - \(comparison.b): \(text(of: comparison))")
    }
    lines.append("")
    lines.append(
      "seed \(report.seed), the same games for all; moves/s of one thread; "
        + "tiles: share of games that reached them")
    return lines.joined(separator: "\n")
  }

  private static func text(of comparison: ArenaReport.Comparison) -> String {
    let sign = comparison.meanDifference >= 0 ? "+" : ""
    var text =
      "\(sign)\(NumberText.grouped(comparison.meanDifference)) \(interval(comparison.ci95))"
    if let ratio = comparison.ratio, let range = comparison.ratioCi95 {
      text += String(format: ", ratio %.2f [%.2f, %.2f]", ratio, range.low, range.high)
    }
    return text
  }

  private static func interval(_ interval: ConfidenceInterval) -> String {
    "[\(NumberText.grouped(interval.low)), \(NumberText.grouped(interval.high))]"
  }

  /// The rows with columns of equal width: the first to the left, the others to the right.
  static func aligned(_ rows: [[String]]) -> [String] {
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      row.enumerated().map { column, text in
        let padding = String(repeating: " ", count: widths[column] - text.count)
        return column == 0 ? text + padding : padding + text
      }.joined(separator: "  ")
    }
  }
}
