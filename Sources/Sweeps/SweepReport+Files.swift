import Foundation

extension SweepReport {
  /// A table with a line for each row, for spreadsheets and statistics programs.
  ///
  /// Columns: `variant`, `budget`, `unit`, `last` (whether the variant went no further), `mean`, `low` and
  /// `high` (its interval), `difference` with its interval, `episodes`, `moves`, `seconds`,
  /// `movesPerSecond`, and `seedN` with the mean score of every seed. What does not exist is empty.
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

  /// The rows as JSON, one a line.
  package func jsonLines() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try rows.map { String(decoding: try encoder.encode($0), as: UTF8.self) + "\n" }.joined()
  }
}
