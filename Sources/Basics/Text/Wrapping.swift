/// Returns lines of at most `width` characters with whole items, three spaces apart.
///
/// An item that is longer than a line gets a separate line.
package func wrapped(items: [String], width: Int) -> [String] {
  var lines: [String] = []
  for item in items {
    if let line = lines.last, line.count + 3 + item.count <= width {
      lines[lines.count - 1] = line + "   " + item
    } else {
      lines.append(item)
    }
  }
  return lines
}

/// Returns the words of a text in lines of at most `width` characters, of which `indent` are spaces.
///
/// A word that is longer than a line gets a separate line.
package func wrapped(_ text: String, width: Int = 80, indent: Int = 0) -> String {
  let margin = String(repeating: " ", count: indent)
  var lines: [String] = []
  for word in text.split(separator: " ") {
    if let line = lines.last, line.count + 1 + word.count <= width {
      lines[lines.count - 1] = line + " " + word
    } else {
      lines.append(margin + word)
    }
  }
  return lines.joined(separator: "\n")
}
