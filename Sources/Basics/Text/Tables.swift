/// Returns a table in Markdown, with a row of column names above the others.
package func markdownTable(_ names: [String], _ rows: [[String]]) -> String {
  func line(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }
  let rule = "|" + String(repeating: "---|", count: names.count)
  return ([line(names), rule] + rows.map(line)).joined(separator: "\n")
}

/// Returns rows of texts as lines with aligned columns: the first to the left, the others to the right.
package func alignedTable(_ rows: [[String]]) -> [String] {
  let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
  return rows.map { row in
    row.enumerated().map { column, text in
      let padding = String(repeating: " ", count: widths[column] - text.count)
      return column == 0 ? text + padding : padding + text
    }.joined(separator: "  ")
  }
}
