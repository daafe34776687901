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
