import TestSupport
import Testing

@testable import Game2048

@Suite struct BoardTextTests {
  @Test func bothFormsRoundTrip() throws {
    var boards = RandomBoards(seed: 41)
    for _ in 0..<1_000 {
      let board = boards.next(exponents: 1...17)
      #expect(board.text.count == 16)
      #expect(try Board(text: board.text) == board)
      #expect(try Board(text: board.text.lowercased()) == board)
      let tiles = board.tiles.map(String.init)
      for separator in [" ", ",", "/", "\n", ", ", " / ", "\t"] {
        #expect(try Board(text: tiles.joined(separator: separator)) == board)
      }
      #expect(try Board(text: "\n " + board.text + " \n") == board)
    }
  }

  @Test func digitsAreExponentsInBase18() throws {
    let board = try Board(text: "0123456789ABCDEF")
    #expect(board.exponents == Array(0..<16))
    let large = try Board(text: "GHgh000000000001")
    #expect(large.exponents == [16, 17, 16, 17] + [Int](repeating: 0, count: 11) + [1])
    #expect(large.text == "GHGH000000000001")
    #expect(large.tiles[1] == 131_072)
  }

  @Test func rowsOfTilesMaySeparateAsPeopleWriteThem() throws {
    let board = try Board(text: "2 0 4 0 / 0 0 2 0 / 0 2 0 4 / 4 4 0 131072")
    #expect(board.text == "102000100102220H")
    #expect(try Board(text: "2 . 4 . / . . 2 . / . 2 . 4 / 4 4 . 131072") == board)
    #expect(try Board(text: "2,0,4,0\n0,0,2,0\n0,2,0,4\n4,4,0,131072\n") == board)
  }

  @Test(arguments: [
    ("", 0, 0), ("   ", 0, 0), ("0123", 4, 1), ("0123456789ABCDEF0", 17, 1),
    ("0123456789ABCDE", 15, 1), ("0123 4567 89AB CDEF", 16, 4),
    ("2 4 8 16 2 4 8 16 2 4 8 16 2 4 8", 18, 15), ("0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0", 17, 17),
  ])
  func wrongLengthsAreCounted(text: String, characters: Int, numbers: Int) {
    let error = #expect(throws: BoardTextError.self) { try Board(text: text) }
    #expect(error == .wrongLength(characters: characters, numbers: numbers))
    #expect(
      error?.description
        == "a board is 16 characters (exponents in base 18, as 0123456789ABCDEF) or 16 tile "
        + "values separated by spaces, commas or '/'; this has \(characters) characters, "
        + "\(numbers) values")
  }

  @Test(arguments: [
    ("I000000000000000", Character("I"), 1), ("000000000000000i", "i", 16),
    ("00000-0000000000", "-", 6), ("0000000000x00000", "x", 11), ("00é0000000000000", "é", 3),
    ("000３000000000000", "３", 4),
  ])
  func badCharactersAreNamed(text: String, character: Character, place: Int) {
    let error = #expect(throws: BoardTextError.self) { try Board(text: text) }
    #expect(error == .badCharacter(character, place: place))
    #expect(
      error?.description
        == "character \(place) of the board, '\(character)', is not an exponent: use 0-9 and A-H")
  }

  @Test(arguments: [
    "1", "3", "6", "-2", "+2", "262144", "2.0", "2048x", "x", "9223372036854775808", "0x2", "-0",
    "-9223372036854775808",
  ])
  func nonTilesAreNamed(number: String) {
    for place in [1, 7, 16] {
      var numbers = [String](repeating: "2", count: 16)
      numbers[place - 1] = number
      let text = numbers.joined(separator: " ")
      let error = #expect(throws: BoardTextError.self) { try Board(text: text) }
      #expect(error == .badTile(number, place: place))
      #expect(
        error?.description
          == "value \(place) of the board, '\(number)', is not a tile: use 0, 2, 4, 8, ... 131072")
    }
  }

  @Test func exponentsOfTiles() {
    #expect(Board.exponent(ofTile: 0) == 0)
    for exponent in 1...17 { #expect(Board.exponent(ofTile: 1 << exponent) == exponent) }
    for tile in [1, -2, 3, 12, 1 << 18, .min, .max] { #expect(Board.exponent(ofTile: tile) == nil) }
  }

  @Test func descriptionAlignsTheTiles() throws {
    let board = try Board(text: "10000000B0000002")
    #expect(
      board.description == """
           2    .    .    .
           .    .    .    .
        2048    .    .    .
           .    .    .    4
        """)
  }
}
