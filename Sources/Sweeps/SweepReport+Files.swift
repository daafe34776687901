import Foundation

extension SweepReport {
  /// The rows as a CSV table.
  ///
  /// The columns are `variant`, `budget`, `unit`, `last` (whether the variant ended here), `mean`, `low` and
  /// `high` (its interval), `difference` with its interval, `episodes`, `moves`, `seconds`,
  /// `movesPerSecond`, and `seedN` with the mean score of each seed. Missing values are empty.
  ///
  /// Source: RFC 4180.
  package var csv: String {
    let seeds = Set(rows.flatMap(\.seeds)).sorted()
    let header =
      [
        "variant", "budget", "unit", "last", "mean", "low", "high", "difference", "differenceLow",
        "differenceHigh", "episodes", "moves", "seconds", "movesPerSecond",
      ] + seeds.map { "seed\($0)" }
    let lines = rows.map { row in
      let numbers: [Double?] =
        [
          row.mean, row.ci95?.low, row.ci95?.high, row.difference, row.differenceCi95?.low,
          row.differenceCi95?.high, row.episodes, row.moves, row.seconds, row.movesPerSecond,
        ] + seeds.map { seed in row.seeds.firstIndex(of: seed).map { row.scores[$0] } }
      let words = [
        "\"" + row.variant.replacing("\"", with: "\"\"") + "\"", "\(row.budget)", row.budgetUnit,
        "\(row.isLast)",
      ]
      return (words + numbers.map { $0.map { String(format: "%.10g", $0) } ?? "" })
        .joined(separator: ",")
    }
    return ([header.joined(separator: ",")] + lines).joined(separator: "\r\n") + "\r\n"
  }

  /// Returns the rows as JSON, one per line.
  package func jsonLines() throws -> String {
    try rows.map { try JSONEncoder.text($0) + "\n" }.joined()
  }
}
