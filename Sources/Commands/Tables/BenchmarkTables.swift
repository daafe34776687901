import Basics
import Experiments
import Foundation
import Play

extension BenchmarkReport {
  /// The results as a table.
  var table: String {
    let showsTime = benchmark == "update"
    let showsMoves = rows.contains { $0.moveMilliseconds != nil }
    let names =
      columns + [showsTime ? "µs/move" : "moves/s", "min-max", "ratio", "min-max"]
      + (showsMoves ? ["ms/move", "99% below", "max", "in budget"] : [])
    let lines = rows.map { row in
      let rate =
        showsTime
        ? cells(row.microsecondsPerMove) { String(format: "%.4f", $0) }
        : cells(row.movesPerSecond, NumberText.rate)
      return columns.map { row.parameters[$0].map { $0.string ?? $0.text } ?? "" } + rate
        + cells(row.ratio, thousandths) + (showsMoves ? cells(row.moveMilliseconds) : [])
    }
    let clock = clock == .wall ? "elapsed time" : "CPU time per thread"
    let base =
      benchmark == "growth" ? "the first number of threads of the network" : "the first variant"
    let notes = [
      "",
      "medians of \(repeats) repeats, by \(clock); ratio: speed relative to \(base), per repeat",
      "ms/move: CPU time of single moves over all repeats; in budget: within 10 % or 0.2 ms of it",
    ]
    return (alignedTable([names] + lines) + notes.prefix(showsMoves ? 3 : 2))
      .joined(separator: "\n")
  }

  private func cells(_ summary: Summary, _ text: (Double) -> String) -> [String] {
    [text(summary.median), "\(text(summary.min))-\(text(summary.max))"]
  }

  private func cells(_ times: MoveTimes?) -> [String] {
    guard let times else { return ["", "", "", ""] }
    return [times.median, times.percentile99, times.max].map(thousandths)
      + [NumberText.percent(times.withinBudget)]
  }

  private func thousandths(_ value: Double) -> String { String(format: "%.3f", value) }
}

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
