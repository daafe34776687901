/// The reason why a text is not a board, with the row and the field.
public struct BoardTextError: Error, Equatable, CustomStringConvertible {
  public let description: String

  init(_ description: String) { self.description = description }
}

extension Board {
  /// Reads a board from a text.
  ///
  /// The text has 16 exponents in base 18 as one word, 16 hexadecimal ones after `0x`, or 16 tile values in the
  /// form of `TileRows`. Where it shows rows, there are four of four values. `0`, `.`, `-`, `_` and nothing between
  /// two commas are empty cells. A smaller board may also have only its own cells.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - size: The number of rows of the game; nil to read a board of any size.
  ///   - asExponents: Whether the values are exponents and not tiles.
  /// - Throws: ``BoardTextError`` if the text is not a board.
  public init(text: String, size: Int? = nil, asExponents: Bool = false) throws(BoardTextError) {
    let rows = try TileRows(text)
    guard rows.openBrackets == 0 else {
      throw BoardTextError("a bracket is not closed: end every list with ]")
    }
    let width = try rows.width(size: size)
    self.init()
    if width == 1 {
      try read(word: rows.rows[0][0], size: size)
      return
    }
    let isGrid = rows.rows.count == width
    for (index, field) in rows.rows.joined().enumerated() {
      let (row, column) = (index / width, index % width)
      let place = isGrid ? "row \(row + 1), value \(column + 1)" : "value \(index + 1)"
      self[4 * row + column] = try Board.exponent(of: field, asExponents: asExponents, place)
    }
  }

  /// Reads one word of exponents into this board, which is empty.
  private mutating func read(word: Substring, size: Int?) throws(BoardTextError) {
    let isHexadecimal = word.hasPrefix("0x") || word.hasPrefix("0X")
    let digits = isHexadecimal ? word.dropFirst(2) : word
    let width = !isHexadecimal && digits.count == 9 && size ?? 3 == 3 ? 3 : 4
    guard digits.count == width * width else {
      throw isHexadecimal
        ? BoardTextError(
          "0x is followed by the 16 exponents as hexadecimal digits, with leading zeros; this has "
            + "\(digits.count) digits")
        : BoardTextError.length(characters: digits.count, values: 1, size: size)
    }
    for (index, character) in digits.enumerated() {
      let isEmpty = !isHexadecimal && TileRows.emptyFields.contains(String(character))
      let exponent = Int(String(character), radix: isHexadecimal ? 16 : 18)
      guard let exponent = isEmpty ? 0 : exponent, character.isASCII else {
        let place = index + 1 + (isHexadecimal ? 2 : 0)
        throw BoardTextError(
          "character \(place) of the board, '\(character)', is not an exponent: use 0-9 and "
            + "A-\(isHexadecimal ? "F" : "H")")
      }
      self[4 * (index / width) + index % width] = exponent
    }
  }

  /// Returns the exponent that a field has.
  private static func exponent(
    of field: Substring, asExponents: Bool, _ place: String
  ) throws(BoardTextError) -> Int {
    if TileRows.emptyFields.contains(String(field)) { return 0 }
    // `Int` would accept a sign.
    let number = field.first?.isASCII == true && field.first!.isNumber ? Int(field) : nil
    if asExponents {
      guard let number, number <= largestExponent else {
        throw BoardTextError(
          "\(place) of the board, '\(field)', is not an exponent: use 0 to \(largestExponent)")
      }
      return number
    }
    guard let exponent = number.flatMap(exponent(ofTile:)) else {
      throw BoardTextError(
        "\(place) of the board, '\(field)', is not a tile: use 0, 2, 4, 8, ... 131072")
    }
    return exponent
  }

  /// Returns the exponent of a tile value from 0 (empty) to 131072, or nil for any other value.
  public static func exponent(ofTile tile: Int) -> Int? {
    if tile == 0 { return 0 }
    guard tile >= 2, tile & (tile - 1) == 0 else { return nil }
    let exponent = tile.trailingZeroBitCount
    return exponent <= largestExponent ? exponent : nil
  }

  /// The board as 16 characters: one digit per exponent, row by row.
  public var text: String {
    exponents.map { String($0, radix: 36, uppercase: true) }.joined()
  }
}

/// The fields of a text of tiles, row by row, whatever separates them.
///
/// A line break, `/`, `;` and a bracket end a row. Commas, bars, tabs and spaces separate fields. Between two commas,
/// bars or tabs may be nothing; between values with spaces, a comma ends a row. Lines of a frame, such as `+----+`, do
/// not count.
struct TileRows {
  private(set) var rows: [[Substring]] = []
  /// The number of brackets that are not closed.
  private(set) var openBrackets = 0

  /// What stands for an empty cell, besides 0.
  static let emptyFields: Set = ["", ".", "-", "_"]
  /// The numbers of fields that a row can have: those of rows, and of whole boards.
  private static let widths = [4, 16, 3, 9, 2]

  init(_ text: String) throws(BoardTextError) {
    var start = text.startIndex
    var followsBracket = false
    for index in text.indices {
      let character = text[index]
      let (opens, closes) = ("[({".contains(character), "])}".contains(character))
      guard opens || closes || character.isNewline || character == "/" || character == ";" else {
        continue
      }
      let isBlank = addRow(text[start..<index], followsBracket: followsBracket)
      start = text.index(after: index)
      followsBracket = closes || followsBracket && isBlank
      if opens { openBrackets += 1 }
      if closes { openBrackets -= 1 }
      if openBrackets < 0 {
        throw BoardTextError("the bracket '\(character)' closes none: begin every list with [")
      }
    }
    addRow(text[start...], followsBracket: followsBracket)
  }

  /// Adds the fields of a part of the text, unless it is blank, a frame, or the comma between two lists.
  ///
  /// - Returns: Whether it is blank.
  @discardableResult
  private mutating func addRow(_ part: Substring, followsBracket: Bool) -> Bool {
    let words = part.split(whereSeparator: \.isWhitespace)
    if words.isEmpty { return true }
    if followsBracket && words == [","] || TileRows.isFrame(words) { return false }
    rows += TileRows.rows(of: part, words, isInList: openBrackets > 0)
    return false
  }

  /// Returns whether a line is one of a frame, such as `+----+----+`.
  private static func isFrame(_ words: [Substring]) -> Bool {
    words.allSatisfy { $0.allSatisfy("+-=|".contains) }
      && words.contains { $0.contains("--") || $0.contains("==") }
  }

  /// Returns the fields of a row; several rows if commas separate them.
  ///
  /// - Parameter isInList: Whether the row lies in brackets, where a comma at its end is followed by the next value.
  private static func rows(
    of part: Substring, _ words: [Substring], isInList: Bool
  ) -> [[Substring]] {
    func fields(separatedBy separator: Character) -> [Substring] {
      part.split(separator: separator, omittingEmptySubsequences: false).map { field in
        let start = field.drop(while: \.isWhitespace)
        let end = start.lastIndex { !$0.isWhitespace }
        return end.map { start[...$0] } ?? ""
      }
    }
    func haveSpaces(_ fields: [Substring]) -> Bool {
      fields.contains { $0.contains(where: \.isWhitespace) }
    }
    if part.contains("|") {
      var cells = fields(separatedBy: "|")
      if cells.first == "" { cells.removeFirst() }
      if cells.last == "" { cells.removeLast() }
      guard cells.count == 1 else { return [cells] }
      return rows(
        of: cells[0], cells[0].split(whereSeparator: \.isWhitespace), isInList: isInList)
    }
    if part.contains(",") {
      var cells = fields(separatedBy: ",")
      if cells.last == "", isInList || !widths.contains(cells.count) || haveSpaces(cells) {
        cells.removeLast()
      }
      return haveSpaces(cells)
        ? cells.map { $0.split(whereSeparator: \.isWhitespace) } : [cells]
    }
    if part.contains("\t") {
      // Tabs may align columns, or separate cells of which some are empty.
      let cells = fields(separatedBy: "\t")
      for width in haveSpaces(cells) ? [] : widths {
        if words.count == width { break }
        if cells.count == width { return [cells] }
      }
    }
    return [words]
  }
}

extension TileRows {
  /// Returns the number of values in a row of the board: 4, or that of a smaller board; 1 for a single word.
  ///
  /// - Throws: ``BoardTextError`` if the rows are not those of a board.
  func width(size: Int?) throws(BoardTextError) -> Int {
    let count = rows.count
    if count == 1, rows[0].count == 1 { return 1 }
    let isColumn = rows.allSatisfy { $0.count == 1 }
    // 4 values that show no rows could be one of them.
    let whole = [16: 4, 9: 3][count == 1 ? rows[0].count : isColumn ? count : 0]
    let square = whole ?? (rows.allSatisfy { $0.count == count } ? count : nil)
    if let square, (2...4).contains(square) {
      guard square == 4 || size == nil || size == square else {
        throw BoardTextError(
          "this is a board of \(square)x\(square) cells, and the game has \(size!)x\(size!)")
      }
      return square
    }
    throw shapeError(size: size, isColumn: isColumn)
  }

  /// Returns the board that 4 groups of 4 exponents would be as one word; nil if they are something else.
  static func board(ofGroups fields: [Substring]) -> Board? {
    guard fields.count == 4, fields.allSatisfy({ $0.count == 4 }) else { return nil }
    return try? Board(text: fields.map(String.init).joined())
  }

  private func shapeError(size: Int?, isColumn: Bool) -> BoardTextError {
    let fields = Array(rows.joined())
    if let board = TileRows.board(ofGroups: fields) {
      return BoardTextError(
        "4 groups of 4 characters are not a board: write the 16 exponents as one word, \(board.text)"
      )
    }
    if rows.count <= 1 || isColumn {
      return .length(
        characters: fields.reduce(0) { $0 + $1.count }, values: fields.count, size: size)
    }
    let width = rows.count == size ? size! : 4
    guard rows.count == width else {
      let equal = rows.allSatisfy { $0.count == rows[0].count }
      return BoardTextError(
        "this has \(rows.count) rows\(equal ? " of \(rows[0].count) values" : ""), and a board has "
          + "4 rows of 4 values")
    }
    let row = rows.firstIndex { $0.count != width }!
    let count = rows[row].count
    return BoardTextError(
      "row \(row + 1) of the board has \(count) \(count == 1 ? "value" : "values"), and every row has \(width)"
    )
  }
}

extension BoardTextError {
  /// The error for a text that has neither 16 characters nor 16 values.
  static func length(characters: Int, values: Int, size: Int?) -> BoardTextError {
    let small =
      size.map { $0 < 4 ? ", or \($0 * $0) of them for a board of \($0)x\($0)" : "" } ?? ""
    return BoardTextError(
      """
      a board is 16 characters (exponents in base 18, as 0123456789ABCDEF) or 16 tile values \
      separated by spaces, commas or '/'\(small); this has \(characters) characters, \(values) values
      """)
  }
}

/// Puts the lines of a text of boards together: a board is on one line, or on one line per row.
///
/// A line begins a board of several lines if it leaves a bracket open, or has one of its rows: 4 values, or 3 or 2 of a
/// smaller board. Such a board ends with its last row, so that the lines before the next one suffice.
public struct BoardLines {
  /// The lines of a board.
  public struct Entry: Equatable, Sendable {
    /// The number of the first line.
    public let line: Int
    public let text: String
  }

  /// The most lines of a board: a list with a value or a bracket on each has 26.
  private static let mostLines = 32

  private var pending: Entry?
  private var lastLine = 0

  public init() {}

  /// Takes a line, and returns the boards that end with it.
  ///
  /// Lines that are left out end a board.
  ///
  /// - Returns: At most one board, and before it one that lacks lines, if this line does not continue it.
  public mutating func take(_ text: String, line: Int) -> [Entry] {
    let before = line == lastLine + 1 ? nil : end()
    lastLine = line
    guard let pending else {
      return [before, begin(Entry(line: line, text: text))].compactMap(\.self)
    }
    let joined = Entry(line: pending.line, text: pending.text + "\n" + text)
    if line - pending.line < BoardLines.mostLines, BoardLines.isPart(joined.text) {
      self.pending = joined
      return []
    }
    self.pending = nil
    // A single word is a board itself. What cannot be read alone may close a bracket.
    let isWord = (try? TileRows(text))?.rows.first?.count == 1 && !BoardLines.isOpen(pending.text)
    return isWord ? [pending, begin(Entry(line: line, text: text))].compactMap(\.self) : [joined]
  }

  /// Returns the board that lacks lines, if there is one, and forgets it.
  public mutating func end() -> Entry? {
    defer { pending = nil }
    return pending
  }

  /// Keeps the first line of a board of several lines, and returns any other.
  private mutating func begin(_ board: Entry) -> Entry? {
    guard let rows = try? TileRows(board.text) else { return board }
    // A line of a frame.
    if rows.rows.isEmpty, rows.openBrackets == 0 { return nil }
    let first = rows.rows.first ?? []
    let hasCell = first.contains { TileRows.emptyFields.contains(String($0)) || Int($0) != nil }
    // Groups of exponents could be meant for tiles only if all are.
    let areGroups =
      TileRows.board(ofGroups: first) != nil
      && !first.allSatisfy { Int($0).flatMap(Board.exponent(ofTile:)) != nil }
    guard BoardLines.isPart(board.text), first.isEmpty || hasCell, !areGroups else { return board }
    pending = board
    return nil
  }

  private static func isOpen(_ text: String) -> Bool {
    (try? TileRows(text)).map { $0.openBrackets > 0 } ?? false
  }

  /// Returns whether further lines belong to a board.
  private static func isPart(_ text: String) -> Bool {
    guard let rows = try? TileRows(text), rows.rows.count <= 16 else { return false }
    if rows.openBrackets > 0 { return true }
    guard let width = rows.rows.first?.count else { return false }
    return (2...4).contains(width) && rows.rows.count < width
      && rows.rows.allSatisfy { $0.count == width }
  }
}

extension Board: CustomStringConvertible {
  /// Four lines of right-aligned tile values, for people to read.
  public var description: String { description(size: 4) }

  /// Returns `size` lines of `size` right-aligned tile values each, for people to read.
  public func description(size: Int) -> String {
    let tiles = tiles.map { $0 == 0 ? "." : String($0) }
    let width = tiles.map(\.count).max() ?? 1
    return (0..<size).map { row in
      tiles[(4 * row)..<(4 * row + size)]
        .map { String(repeating: " ", count: width - $0.count) + $0 }
        .joined(separator: " ")
    }.joined(separator: "\n")
  }
}
