/// The lines about the progress at the bottom of a terminal, and the texts that redraw them in place.
///
/// The cursor stays at the start of the last line, where a terminal that shows `^C` for Ctrl-C does not begin a new line.
/// The lines need no mode of the terminal, so nothing has to be restored if the program ends.
struct ProgressLines {
  private var lines: [String] = []
  private var logged: [String] = []

  /// Returns the text that draws other lines in place of these, cut to the width.
  ///
  /// - Parameters:
  ///   - new: The lines, which are fewer than those of the terminal; none to erase these.
  ///   - columns: The width of the terminal.
  mutating func replacing(with new: [String], columns: Int) -> String {
    if lines.isEmpty, new.isEmpty { return "" }
    let start = toStart(columns: columns)
    // A full line would leave the cursor in a state that terminals disagree on.
    lines = new.map { String($0.prefix(max(0, columns - 1))) }
    // Lines are overwritten and the rest of each is erased, which avoids the flicker of clearing.
    return start + lines.map { $0 + "\u{1B}[K" }.joined(separator: "\n") + "\u{1B}[J\r"
  }

  /// Returns the text that writes a message above the lines.
  func inserting(_ text: String, columns: Int) -> String {
    if lines.isEmpty { return text + "\n" }
    return toStart(columns: columns) + "\u{1B}[J" + text + "\n" + lines.joined(separator: "\n")
      + "\r"
  }

  /// The text that moves the cursor to the start of the first line.
  ///
  /// A terminal that has become narrower has wrapped the lines that are wider now.
  private func toStart(columns: Int) -> String {
    let rows = lines.dropLast()
      .reduce(0) { $0 + max(1, ($1.count + columns - 1) / max(1, columns)) }
    return "\r" + (rows > 0 ? "\u{1B}[\(rows)A" : "")
  }

  /// Returns the lines to write to a log, where they cannot be redrawn: none if they say what the last ones said, as
  /// during a long save.
  mutating func news(_ new: [String]) -> [String] {
    defer { logged = new }
    return new == logged ? [] : new
  }
}
