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

/// Lines of comma-separated values. Fields that contain a comma, a quotation mark or a line break are quoted.
///
/// Source: RFC 4180.
package enum CommaSeparatedValues {
  /// Returns a text as a field.
  package static func field(_ text: String) -> String {
    guard text.contains(where: { $0 == "," || $0 == "\"" || $0.isNewline }) else { return text }
    return "\"" + text.replacing("\"", with: "\"\"") + "\""
  }

  /// Returns the fields of a record, which may contain line breaks; nil if its quotation marks are wrong.
  package static func fields(of record: String) -> [String]? {
    var fields: [String] = []
    var rest = record[...]
    while true {
      var field = ""
      if rest.first == "\"" {
        rest.removeFirst()
        while true {
          guard let quote = rest.firstIndex(of: "\"") else { return nil }
          field += rest[..<quote]
          rest = rest[rest.index(after: quote)...]
          guard rest.first == "\"" else { break }
          field += "\""
          rest.removeFirst()
        }
      } else {
        field = String(rest.prefix { $0 != "," })
        guard !field.contains("\"") else { return nil }
        rest = rest[rest.index(rest.startIndex, offsetBy: field.count)...]
      }
      fields.append(field)
      guard let separator = rest.popFirst() else { return fields }
      guard separator == "," else { return nil }
    }
  }
}

/// Returns lines of at most `width` characters with whole items, by default three spaces apart.
///
/// An item that is longer than a line gets a separate line.
package func wrapped(
  items: [String], width: Int, separator: String = "   ", margin: String = ""
) -> [String] {
  var lines: [String] = []
  for item in items {
    if let line = lines.last, line.count + separator.count + item.count <= width {
      lines[lines.count - 1] = line + separator + item
    } else {
      lines.append(margin + item)
    }
  }
  return lines
}

/// Returns the words of a text in lines of at most `width` characters, of which `indent` are spaces.
///
/// A word that is longer than a line gets a separate line.
package func wrapped(_ text: String, width: Int = 80, indent: Int = 0) -> String {
  wrapped(
    items: text.split(separator: " ").map(String.init), width: width, separator: " ",
    margin: String(repeating: " ", count: indent)
  ).joined(separator: "\n")
}

/// Joins the parts of a sentence and adds a full stop, unless it ends with a mark already.
package func sentence(_ parts: String...) -> String {
  let text = parts.joined()
  return text.last.map { ".?!:".contains($0) } ?? true ? text : text + "."
}

/// Returns a text with a capital first letter, unless its first word is a name, such as `config.json`.
package func capitalised(_ text: String) -> String {
  let word = text.prefix { $0 != " " }
  let letters = word.last.map { ",:;.".contains($0) } == true ? word.dropLast() : word
  guard let first = text.first, letters.allSatisfy({ $0.isLowercase || $0 == "'" }) else {
    return text
  }
  return first.uppercased() + text.dropFirst()
}
