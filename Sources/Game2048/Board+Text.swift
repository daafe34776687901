/// The reason why a text is not a board.
public enum BoardTextError: Error, Equatable, CustomStringConvertible {
  /// Neither 16 characters nor 16 numbers.
  case wrongLength(characters: Int, numbers: Int)
  /// A character that is not an exponent in base 18, at a place counted from 1.
  case badCharacter(Character, place: Int)
  /// A number that is neither 0 nor a tile, at a place counted from 1.
  case badTile(String, place: Int)

  public var description: String {
    switch self {
    case .wrongLength(let characters, let numbers):
      """
      a board is 16 characters (exponents in base 18, as 0123456789ABCDEF) or 16 tile values \
      separated by spaces, commas or '/'; this has \(characters) characters, \(numbers) values
      """
    case .badCharacter(let character, let place):
      "character \(place) of the board, '\(character)', is not an exponent: use 0-9 and A-H"
    case .badTile(let text, let place):
      "value \(place) of the board, '\(text)', is not a tile: use 0, 2, 4, 8, ... 131072"
    }
  }
}

extension Board {
  /// Reads a board from 16 exponents in base 18, or from 16 tile values with separators, where `.` is an empty cell.
  ///
  /// - Throws: ``BoardTextError`` if the text is neither.
  public init(text: String) throws(BoardTextError) {
    let numbers = text.split { $0.isWhitespace || $0 == "," || $0 == "/" }
    if numbers.count == Board.cellCount {
      self.init()
      for (cell, number) in numbers.enumerated() {
        // `Int` would accept a sign.
        guard number.first != "+", number.first != "-", let tile = number == "." ? 0 : Int(number),
          let exponent = Board.exponent(ofTile: tile)
        else {
          throw .badTile(String(number), place: cell + 1)
        }
        self[cell] = exponent
      }
      return
    }
    guard numbers.count == 1, numbers[0].count == Board.cellCount else {
      throw .wrongLength(
        characters: numbers.reduce(0) { $0 + $1.count }, numbers: numbers.count)
    }
    self.init()
    for (cell, character) in numbers[0].enumerated() {
      guard character.isASCII, let exponent = Int(String(character), radix: 18) else {
        throw .badCharacter(character, place: cell + 1)
      }
      self[cell] = exponent
    }
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
