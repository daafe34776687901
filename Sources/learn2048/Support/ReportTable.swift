import Arena
import Console
import Foundation

/// The text tables of evaluation results.
enum ReportTable {
  /// Returns the tables of a report.
  ///
  /// - Parameter isCurve: whether each player is compared only with the next one.
  static func text(_ report: ArenaReport, isCurve: Bool = false) -> String {
    var blocks = [scores(report), tiles(report)]
    blocks.append(
      comparisons(report, isCurve: isCurve).map { "\($0.a) - \($0.b): \(text(of: $0))" })
    if let sequential = report.sequential { blocks.append(decisions(sequential)) }
    blocks.append([
      "seed \(report.seed), the same spawns for all players; moves/s per thread; 95% intervals: bootstrap "
        + "of means, Wilson of shares"
    ])
    return blocks.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }
      .joined(separator: "\n\n")
  }

  private static func scores(_ report: ArenaReport) -> [String] {
    var rows = [
      ["player", "games", "mean", "95% interval", "median", "max", "moves", "moves/s"]
    ]
    for player in report.players {
      let score = player.score
      rows.append([
        player.name, NumberText.grouped(player.games), NumberText.grouped(score.mean),
        interval(score.ci95), NumberText.grouped(score.median), NumberText.grouped(score.max),
        NumberText.grouped(player.moves), NumberText.rate(player.movesPerSecond),
      ])
    }
    return aligned(rows)
  }

  /// Returns the table of the shares of games that reached each tile from 2048 on. If no player reached it, the
  /// four largest tiles that some player reached are shown, too.
  private static func tiles(_ report: ArenaReport) -> [String] {
    let all = report.players.first?.tileRates.map(\.tile) ?? []
    let reached = all.filter { tile in
      report.players.contains { $0.reached[String(tile), default: 0] > 0 }
    }
    let won = reached.filter { $0 >= 2048 }
    let tiles = won.isEmpty ? reached.suffix(4) + [2048] : won
    var rows = [["games that reached"] + tiles.map(String.init)]
    for player in report.players {
      rows.append(
        [player.name]
          + player.tileRates.filter { tiles.contains($0.tile) }.map { rate in
            String(
              format: "%.1f%% [%.1f, %.1f]", 100 * rate.rate, 100 * rate.ci95.low,
              100 * rate.ci95.high)
          })
    }
    return aligned(rows)
  }

  private static func comparisons(
    _ report: ArenaReport, isCurve: Bool
  ) -> [ArenaReport.Comparison] {
    if !isCurve { return report.comparisons }
    // The comparisons are all pairs in the order of the players: those of `a` start with the next player.
    var next = 0
    return report.players.indices.dropLast().map { a in
      defer { next += report.players.count - 1 - a }
      return report.comparisons[next]
    }
  }

  private static func decisions(_ sequential: ArenaReport.Sequential) -> [String] {
    let rate = String(format: "%g", sequential.errorRate)
    return sequential.decisions.map { decision in
      guard let better = decision.better, let games = decision.games else {
        return "\(decision.a) and \(decision.b): not decided"
      }
      let other = better == decision.a ? decision.b : decision.a
      return "\(better) wins more often than \(other): decided after \(games) games"
    } + [
      "The probability of naming a player that does not win more often is at most \(rate). Intervals "
        + "assume a fixed number of games, and are too narrow if a difference ended the games."
    ]
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

  /// Returns the rows with aligned columns: the first to the left, the others to the right.
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
