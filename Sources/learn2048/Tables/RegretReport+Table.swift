import Arena
import Basics
import Benchmarks
import Console
import Foundation

extension RegretReport {
  /// The results as a table.
  var table: String {
    let names = [
      "player", "regret", "95% interval", "difference", "95% interval", "same move", "ms/move",
    ]
    let lines = rows.map { row in
      [row.player, points(row.regret), interval(row.regretCI95)]
        + [row.difference.map(points) ?? "", interval(row.differenceCI95)]
        + [NumberText.percent(row.agreement), String(format: "%.3f", row.milliseconds)]
    }
    let note =
      "points per move below the best move of \(reference), on \(NumberText.grouped(positions)) "
      + "positions; difference to the first player"
    return (alignedTable([names] + lines) + ["", note]).joined(separator: "\n")
  }

  private func points(_ value: Double) -> String { String(format: "%.2f", value) }

  private func interval(_ interval: ConfidenceInterval?) -> String {
    interval.map { "[\(points($0.low)), \(points($0.high))]" } ?? ""
  }
}
