import Benchmarks
import Console
import Foundation

/// The text table of benchmark results.
enum BenchTable {
  static func text(_ report: BenchmarkReport) -> String {
    let showsTime = report.benchmark == "update"
    let names = report.rows.first?.parameters.map(\.name) ?? []
    let showsMoves = report.rows.contains { $0.moveMilliseconds != nil }
    var rows = [
      names + [showsTime ? "µs/move" : "moves/s", "min-max", "ratio", "min-max"]
        + (showsMoves ? ["ms/move", "99% below", "max", "in budget"] : [])
    ]
    for row in report.rows {
      let figure = showsTime ? row.microsecondsPerMove : row.movesPerSecond
      let number = showsTime ? microseconds : NumberText.rate
      rows.append(
        row.parameters.map(\.text) + [number(figure.median), range(figure, number)]
          + [ratio(row.ratio.median), range(row.ratio, ratio)]
          + (showsMoves ? moveTimes(row.moveMilliseconds) : []))
    }
    let clock =
      report.clock == .wall ? "elapsed time" : "CPU time per thread"
    let base =
      report.benchmark == "growth"
      ? "the first number of threads of the network" : "the first variant"
    return
      (ReportTable.aligned(rows) + [
        "",
        "medians of \(report.repeats) repeats, by \(clock); ratio: speed relative to \(base), per repeat",
      ]
      + (showsMoves
        ? [
          "ms/move: CPU time of single moves over all repeats; in budget: within 10 % or 0.2 ms of it"
        ] : []))
      .joined(separator: "\n")
  }

  private static func range(_ summary: Summary, _ text: (Double) -> String) -> String {
    "\(text(summary.min))-\(text(summary.max))"
  }

  private static func moveTimes(_ times: MoveTimes?) -> [String] {
    guard let times else { return ["", "", "", ""] }
    return [times.median, times.percentile99, times.max].map(ratio)
      + [String(format: "%.1f%%", 100 * times.withinBudget)]
  }

  private static func ratio(_ value: Double) -> String { String(format: "%.3f", value) }

  private static func microseconds(_ value: Double) -> String { String(format: "%.4f", value) }
}

extension BenchmarkReport.Parameter {
  /// The value as shown in a table.
  fileprivate var text: String {
    if case .string(let text) = value { return text }
    return value.text
  }
}
