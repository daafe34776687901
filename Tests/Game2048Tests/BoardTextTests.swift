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

  /// The same board in the forms that people have.
  @Test(arguments: [
    "2 16 . .  4 . . 2  . . . .  512 1024 . 2048",
    "[2, 16, 0, 0, 4, 0, 0, 2, 0, 0, 0, 0, 512, 1024, 0, 2048]",
    "[[2, 16, 0, 0], [4, 0, 0, 2], [0, 0, 0, 0], [512, 1024, 0, 2048]]",
    "[[2,16,0,0],\n [4,0,0,2],\n [0,0,0,0],\n [512,1024,0,2048],\n]",
    "[\n  [\n    2,\n    16,\n    0,\n    0\n  ],\n  [\n    4,\n    0,\n    0,\n    2\n  ],\n"
      + "  [\n    0,\n    0,\n    0,\n    0\n  ],\n  [\n    512,\n    1024,\n    0,\n    2048\n  ]\n]",
    "[[   2   16    0    0]\n [   4    0    0    2]\n [   0    0    0    0]\n [ 512 1024    0 2048]]",
    "{{2,16,0,0},{4,0,0,2},{0,0,0,0},{512,1024,0,2048}}",
    "((2,16,0,0),(4,0,0,2),(0,0,0,0),(512,1024,0,2048))",
    "2 16 0 0\n4 0 0 2\n0 0 0 0\n512 1024 0 2048\n",
    "2 16 0 0\r\n4 0 0 2\r\n0 0 0 0\r\n512 1024 0 2048",
    "2,16,0,0\n4,0,0,2\n0,0,0,0\n512,1024,0,2048",
    "2,16,0,0,\n4,0,0,2,\n0,0,0,0,\n512,1024,0,2048,",
    "2,16,,/4,,,2/,,,/512,1024,,2048", "2,16,,,4,,,2,,,,,512,1024,,2048",
    "2 16 0 0, 4 0 0 2, 0 0 0 0, 512 1024 0 2048",
    "2 16 0 0; 4 0 0 2; 0 0 0 0; 512 1024 0 2048",
    "2\t16\t\t\n4\t\t\t2\n.\t.\t.\t.\n512\t1024\t\t2048",
    "2\t16\t0\t0\n4\t0\t0\t2\n0\t0\t0\t0\n512\t1024\t0\t2048",
    "2\t\t16\t0\t0\n4 0 0 2\n0 0 0 0\n512 1024 0 2048",
    "2 16 - - / 4 - - 2 / - - - - / 512 1024 - 2048",
    "2 16 _ _ / 4 _ _ 2 / _ _ _ _ / 512 1024 _ 2048",
    "0x1400200100009A0B", "0X1400200100009a0b", "14..2..1....9A.B", "14--2--1----9A-B",
    "14__2__1____9a_b",
    "| 2 | 16 | | |\n| 4 | | | 2 |\n| | | | |\n| 512 | 1024 | | 2048 |",
    "+------+\n|     2    16     0     0|\n|     4     0     0     2|\n|     0     0     0     0|\n"
      + "|   512  1024     0  2048|\n+------+",
  ])
  func formsOfBoards(text: String) throws {
    #expect(try Board(text: text).text == "1400200100009A0B")
    #expect(try Board(text: text, size: 4).text == "1400200100009A0B")
    // The lines of the text are one board.
    var lines = BoardLines()
    var found: [BoardLines.Entry] = []
    for (index, line) in text.split(whereSeparator: \.isNewline).enumerated() {
      found += lines.take(String(line), line: index + 1)
    }
    #expect(lines.end() == nil && found.count == 1)
    #expect(try Board(text: found[0].text).text == "1400200100009A0B")
  }

  @Test func rowsOfExponentsAreReadWhenStated() throws {
    #expect(
      try Board(text: "1 0 17 0 / 0 3 0 0 / 0 0 0 0 / 0 0 0 16", asExponents: true).text
        == "10H003000000000G")
    #expect(try Board(text: "1020000000000000", asExponents: true).text == "1020000000000000")
    let error = #expect(throws: BoardTextError.self) {
      try Board(text: "1 0 2 0 / 0 0 18 0 / 0 0 0 0 / 0 0 0 0", asExponents: true)
    }
    #expect(
      error?.description == "row 2, value 3 of the board, '18', is not an exponent: use 0 to 17")
  }

  @Test func smallBoardsMayHaveOnlyTheirCells() throws {
    for text in ["2 0 4\n0 8 0\n0 0 2", "2,0,4/0,8,0/0,0,2", "[2,0,4,0,8,0,0,0,2]", "102030001"] {
      #expect(try Board(text: text, size: 3).text == "1020030000100000")
      #expect(try Board(text: text).text == "1020030000100000")
    }
    #expect(try Board(text: "2 4 0\n8 0 0\n0 0 0", size: 3).text == "1200300000000000")
    #expect(try Board(text: "2 4 / 8 0", size: 2).text == "1200300000000000")
    #expect(try Board(text: "1200300000000000", size: 2).text == "1200300000000000")
    for (text, size, words) in [
      ("2 0 4 0 8 0 0 0 2", 4, "this is a board of 3x3 cells, and the game has 4x4"),
      ("2 0 / 4 0", 3, "this is a board of 2x2 cells, and the game has 3x3"),
      ("2 0 4", 3, "or 9 of them for a board of 3x3; this has 3 characters, 3 values"),
      ("102000000", 4, "this has 9 characters, 1 values"),
    ] {
      let error = #expect(throws: BoardTextError.self) { try Board(text: text, size: size) }
      #expect(error?.description.contains(words) == true, "\(text): \(error!)")
    }
  }

  @Test(arguments: [
    ("", 0, 0), ("   ", 0, 0), ("0123", 4, 1), ("0123456789ABCDEF0", 17, 1),
    ("0123456789ABCDE", 15, 1), ("2 0 4 0", 4, 4), ("[2, 0, 4]", 3, 3),
    ("2 4 8 16 2 4 8 16 2 4 8 16 2 4 8", 18, 15), ("0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0", 17, 17),
  ])
  func wrongLengthsAreCounted(text: String, characters: Int, numbers: Int) {
    let error = #expect(throws: BoardTextError.self) { try Board(text: text, size: 4) }
    #expect(
      error?.description
        == "a board is 16 characters (exponents in base 18, as 0123456789ABCDEF) or 16 tile "
        + "values separated by spaces, commas or '/'; this has \(characters) characters, "
        + "\(numbers) values")
  }

  @Test(arguments: [
    ("2,0,4/0,0,0,0,0/0,0,0,0/0,0,0,0", "row 1 of the board has 3 values, and every row has 4"),
    ("2,0,4,0/0,0,0,0,0/0,0,0/0,0,0,0", "row 2 of the board has 5 values, and every row has 4"),
    (
      "[[2,0,4,0],[0,0,0,0],[0,0,0,0],[0,0,0]]",
      "row 4 of the board has 3 values, and every row has 4"
    ),
    ("2 0 4 0 / 2 / 0 0 0 0 / 0 0 0 0", "row 2 of the board has 1 value, and every row has 4"),
    (
      "2 0 4 0 0 0 0 0\n0 0 0 0 0 0 0 0",
      "this has 2 rows of 8 values, and a board has 4 rows of 4 values"
    ),
    ("2 0 4 0 / 0 0 0 0 / 0 0", "this has 3 rows, and a board has 4 rows of 4 values"),
    ("2 0 x 0 / 0 0 0 0 / 0 0 0 0 / 0 0 0 0", "row 1, value 3 of the board, 'x', is not a tile"),
    ("2,0,0,0\n0,0,0,0\n0,3,0,0\n0,0,0,0", "row 3, value 2 of the board, '3', is not a tile"),
    ("1020 0000 0000 0000", "write the 16 exponents as one word, 1020000000000000"),
    ("1020/0000/0000/0000", "write the 16 exponents as one word, 1020000000000000"),
    ("0123 4567 89AB CDEF", "write the 16 exponents as one word, 0123456789ABCDEF"),
    ("0x102000000000000", "with leading zeros; this has 15 digits"),
    ("0x102000000000000g", "character 18 of the board, 'g', is not an exponent: use 0-9 and A-F"),
    ("0x1020000000000.00", "character 16 of the board, '.', is not an exponent"),
    ("[2,0,4,0,0,0,0,0,0,0,0,0,0,0,0,0", "a bracket is not closed"),
    ("2,0,4,0,0,0,0,0,0,0,0,0,0,0,0,0]", "the bracket ']' closes none"),
  ])
  func shapesAndFieldsAreNamed(text: String, words: String) {
    let error = #expect(throws: BoardTextError.self) { try Board(text: text) }
    #expect(error?.description.contains(words) == true, "\(error!)")
  }

  @Test func boardsOnSeveralLinesAreFoundAmongOthers() throws {
    let text = """
      1020000000000000
      2 0 4 0
      0 0 0 0
      0 0 0 0
      0 0 0 2
      +----+
      [[2, 0, 4, 0],
       [0, 0, 0, 0],
       [0, 0, 0, 0],
       [0, 0, 0, 2]]
      2 0 4
      0 0 0
      0 0 0
      2 0 4 0
      0 0 0 0
      0000000000000021

      2 0 4 0
      0 0 0 0

      0 0 0 0
      0 0 0
      0000000000000012
      """
    var lines = BoardLines()
    var found: [BoardLines.Entry] = []
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    where !line.isEmpty {
      found += lines.take(String(line), line: index + 1)
    }
    #expect(lines.end() == nil)
    #expect(found.map(\.line) == [1, 2, 7, 11, 14, 16, 18, 21, 23])
    let boards = found.map { try? Board(text: $0.text).text }
    #expect(
      boards == [
        "1020000000000000", "1020000000000001", "1020000000000001", "1020000000000000", nil,
        "0000000000000021", nil, nil, "0000000000000012",
      ])
  }

  // A program that asks for moves waits for the answer after the last row.
  @Test func aBoardEndsWithItsLastRow() {
    var lines = BoardLines()
    for line in 1...3 { #expect(lines.take("0 2 0 2", line: line).isEmpty) }
    #expect(lines.take("0 2 0 2", line: 4).count == 1)
    #expect(lines.take("1020 0000 0000 0000", line: 5).count == 1)
    #expect(lines.end() == nil)
  }

  @Test(arguments: [
    ("I000000000000000", Character("I"), 1), ("000000000000000i", "i", 16),
    ("00000+0000000000", "+", 6), ("0000000000x00000", "x", 11), ("00é0000000000000", "é", 3),
    ("000３000000000000", "３", 4),
  ])
  func badCharactersAreNamed(text: String, character: Character, place: Int) {
    let error = #expect(throws: BoardTextError.self) { try Board(text: text) }
    #expect(
      error?.description
        == "character \(place) of the board, '\(character)', is not an exponent: use 0-9 and A-H")
  }

  @Test(arguments: [
    "1", "3", "6", "-2", "+2", "262144", "2.0", "2048x", "x", "9223372036854775808", "0x2", "-0",
    "-9223372036854775808", "..",
  ])
  func nonTilesAreNamed(number: String) {
    for place in [1, 7, 16] {
      var numbers = [String](repeating: "2", count: 16)
      numbers[place - 1] = number
      let text = numbers.joined(separator: " ")
      let error = #expect(throws: BoardTextError.self) { try Board(text: text) }
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
