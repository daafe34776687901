/// Returns a table in Markdown, with a row of column names above the others.
package func markdownTable(_ names: [String], _ rows: [[String]]) -> String {
  func line(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }
  let rule = "|" + String(repeating: "---|", count: names.count)
  return ([line(names), rule] + rows.map(line)).joined(separator: "\n")
}

/// Returns rows of texts as lines with aligned columns: the first to the left, the others to the right.
///
/// If the lines would be longer than `width`, the columns that do not fit follow in another table below, with
/// the first column again.
package func alignedTable(_ rows: [[String]], width: Int = 80) -> [String] {
  let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
  var groups: [[Int]] = []
  var used = 0
  for column in rows[0].indices.dropFirst() {
    if groups.isEmpty || used + 2 + widths[column] > width {
      groups.append([])
      used = widths[0]
    }
    groups[groups.count - 1].append(column)
    used += 2 + widths[column]
  }
  if groups.isEmpty { groups = [[]] }
  let tables = groups.map { columns in
    rows.map { row in
      let first = columns.isEmpty ? row[0] : row[0].padded(to: widths[0])
      return ([first] + columns.map { row[$0].padded(to: widths[$0], atEnd: false) })
        .joined(separator: "  ")
    }
  }
  return Array(tables.joined(separator: [""]))
}

extension String {
  /// Returns the text with a character repeated up to a width, behind it or before it.
  package func padded(
    to width: Int, with character: Character = " ", atEnd: Bool = true
  ) -> String {
    let padding = String(repeating: character, count: max(0, width - count))
    return atEnd ? self + padding : padding + self
  }
}
