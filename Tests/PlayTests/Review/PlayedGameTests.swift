import Basics
import Foundation
import Game2048
import Search
import TestSupport
import Testing

@testable import Play

@Suite("Games read from their boards")
struct PlayedGameTests {
  /// Reads a game from lines that are numbered from 1.
  private func read(_ text: String, rules: Rules = .standard) throws(LocatedError) -> PlayedGame {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
      .map { (number: $0.offset + 1, text: String($0.element)) }
      .filter { !$0.text.isEmpty }
    return try PlayedGame(lines: lines, name: "game.txt", rules: rules)
  }

  private func failure(of text: String, rules: Rules = .standard) -> LocatedError? {
    do {
      _ = try read(text, rules: rules)
      return nil
    } catch {
      return error
    }
  }

  @Test("the rules tell the moves and the scores")
  func boards() throws {
    let game = try read(
      """
      # a comment

      1120000000000000
      4,4,0,0/2,0,0,0/0,0,0,0/0,0,0,0
      8 0 0 0 2 0 0 4 0 0 0 0 0 0 0 0
      """)
    #expect(game.moves.map(\.direction) == [.left, .left])
    #expect(game.moves.map(\.score) == [0, 4])
    #expect(game.moves.map(\.board.text) == ["1120000000000000", "2200100000000000"])
    #expect(game.score == 12)
    #expect(game.board.text == "3000100200000000")
  }

  @Test("lines of replay state the score and the direction, and end with a picture")
  func replay() throws {
    // A tile of 2 moves up or left, and the other 2 is new.
    let boards = ["0000010000000000", "0100100000000000"]
    #expect(try read(boards.joined(separator: "\n")).moves.map(\.direction) == [.up])
    let game = try read(
      """
      # greedy, game 1 of 1, seed 1
      7 start 40 \(boards[0])
      8 left +0 40 \(boards[1])

      . 2 . .
      2 . . .
      . . . .
      . . . .
      score 40 in 8 moves
      """)
    #expect(game.moves.map(\.direction) == [.left])
    #expect(game.moves.map(\.score) == [40])
    #expect(game.score == 40)
  }

  @Test(
    "a text that has no game is an error with the line",
    arguments: [
      ("1120000000000000\n220010000000000", "line 2", "16 characters"),
      ("1120000000000000\n2200000000000000", "line 2", "no move leads from 1120000000000000 to 22"),
      ("1120000000000000\n2200300000000000", "line 2", "no move leads"),
      ("1120000000000000\n2200110000000000", "line 2", "no move leads"),
      ("1120000000000000\n\n# x\n1120000000000000", "line 4", "no move leads"),
      ("1120000000000000\n1 up +4 4 2200100000000000", "line 2", "moving up does not lead"),
      ("1120000000000000\n1 left +5 4 2200100000000000", "line 2", "states +5 and 4 points"),
      ("0 start 8 1120000000000000\n1 left +4 4 2200100000000000", "line 2", "which makes 12"),
      ("1 2 3 4", "line 1", "this has 4 characters"),
      ("0 start x 1120000000000000", "line 1", "23 characters"),
      ("0 start -1 1120000000000000", "line 1", "4 values"),
    ])
  func errors(text: String, place: String, problem: String) throws {
    let error = try #require(failure(of: text))
    #expect(error.kind == .unsuitableData)
    #expect(error.path == "game.txt" && error.place == place)
    #expect("\(error)".contains(problem), "\(error)")
  }

  @Test("boards on several lines, in lists and in logs are read")
  func logs() throws {
    let texts = [
      "2 2 4 0\n0 0 0 0\n0 0 0 0\n0 0 0 0\n\n4 4 0 0\n2 0 0 0\n0 0 0 0\n0 0 0 0",
      "[2,2,4,0,0,0,0,0,0,0,0,0,0,0,0,0]\n[[4,4,0,0],[2,0,0,0],[0,0,0,0],[0,0,0,0]]",
      """
      Move #1, current score=0
           2     2     4     0
           0     0     0     0
           0     0     0     0
           0     0     0     0
      # a comment
      Move #2, current score=4, scored 12.5: left
      +------------------------+
      |     4     4     0     0|
      |     2     0     0     0|
      |     0     0     0     0|
      |     0     0     0     0|
      +------------------------+
      """,
    ]
    for text in texts {
      let game = try read(text)
      #expect(game.moves.map(\.direction) == [.left] && game.score == 4, "\(text)")
      #expect(game.board.text == "2200100000000000")
      #expect(try PlayedGame(reading: Data(text.utf8), name: "log", rules: nil).score == 4)
    }
    let error = try #require(
      failure(of: "2 2 4 0\n0 0 0 0\n0 0 0 0\n0 0 0 0\n4 4 0 0\n2 0 0 0\n0 0 0 0"))
    #expect(error.place == "line 5" && error.problem.contains("this has 3 rows of 4 values"))
  }

  @Test("rows of exponents are read when stated")
  func exponents() throws {
    let text = "1 1 2 0 / 0 0 0 0 / 0 0 0 0 / 0 0 0 0\n2 2 0 0 / 1 0 0 0 / 0 0 0 0 / 0 0 0 0"
    let game = try PlayedGame(
      reading: Data(text.utf8), name: "game.txt", rules: nil, asExponents: true)
    #expect(game.board.text == "2200100000000000" && game.score == 4)
    #expect(try #require(failure(of: text)).remedy.contains("--exponents"))
  }

  @Test("a game of a smaller board is recognised without a model", arguments: [2, 3, 4])
  func sizes(size: Int) throws {
    let (game, _) = try randomGame(3, Rules(size: size))
    let read = try PlayedGame(
      reading: Data(game.text(title: "x").utf8), name: "game.txt", rules: nil)
    #expect(read.rules.size == size && read.moves == game.moves)
  }

  @Test(
    "moves without boards are not a game",
    arguments: [
      ("URDLURDL", 8), ("urdl\nlldr\n", 8), ("U,R,D,L", 4), ("0123 0123", 8),
      (#"["up", "left", "down"]"#, 3), ("012301230123012", 15),
      (String(repeating: "0312", count: 1_000), 4_000),
    ])
  func moveStrings(text: String, count: Int) throws {
    let error = #expect(throws: LocatedError.self) {
      try PlayedGame(reading: Data(text.utf8), name: "game.txt", rules: nil)
    }
    #expect(
      error?.problem.hasPrefix(
        "has \(NumberText.grouped(count)) moves and no boards, and moves do not tell")
        == true, "\(error!)")
  }

  /// Returns a move in a `.rpl` file.
  private func replayRecord(
    _ board: Board, _ direction: Direction, cell: Int, exponent: Int
  ) -> [UInt8] {
    let packed = board.exponents.reduce(UInt64(0)) { $0 << 4 | UInt64($1) }
    let number = [Direction.left, .right, .up, .down].firstIndex(of: direction)!
    return (0..<8).map { UInt8(truncatingIfNeeded: packed >> (8 * UInt64($0))) }
      + [UInt8(number << 5 | cell << 1 | (exponent - 1))] + [UInt8](repeating: 7, count: 16)
  }

  /// The end of a `.rpl` file.
  private let replayEnd: [UInt8] =
    [UInt8](repeating: 1, count: 8) + [
      88, 0xAA, 0x86, 0xBC, 0x27, 0x55, 0x62, 0xE8, 0x0D, 0xA1, 0xB0, 0xB9, 0x12, 0xB1, 0x68, 0xDE,
      0x3A,
    ]

  @Test("a .rpl of 2048EndgameTablebase is the game that was played")
  func replayOfTables() throws {
    let (game, _) = try randomGame(5, .standard)
    var file: [UInt8] = []
    for (index, move) in game.moves.enumerated() {
      let next = index + 1 < game.moves.count ? game.moves[index + 1].board : game.board
      let cell = next.cellAdded(to: game.rules.move(move.board, move.direction)!.afterstate)
      file += replayRecord(move.board, move.direction, cell: cell, exponent: next[cell])
    }
    file += replayEnd
    let read = try PlayedGame(reading: Data(file), name: "a.rpl", rules: nil)
    #expect(read.moves == game.moves && read.board == game.board && read.score == game.score)
    // A changed move is found.
    var damaged = file
    damaged[25 * 10 + 8] ^= 0x20
    let error = #expect(throws: LocatedError.self) {
      try PlayedGame(reading: Data(damaged), name: "a.rpl", rules: nil)
    }
    #expect(error?.place == "move 11" && error?.problem.contains("does not lead") == true)
    // Its engine does not merge two tiles of 32768.
    let pair = try ["F0F2000000000000", "FF20000000000001"].flatMap {
      try replayRecord(Board(text: $0), .left, cell: 15, exponent: 1)
    }
    let rule = #expect(throws: LocatedError.self) {
      try PlayedGame(reading: Data(pair + replayEnd), name: "a.rpl", rules: nil)
    }
    #expect(rule?.place == "move 1" && rule?.remedy.contains("large tiles as 32768") == true)
  }

  @Test("other binary files are rejected")
  func binary() {
    let error = #expect(throws: LocatedError.self) {
      try PlayedGame(reading: Data([0x31, 0x0A, 0, 1]), name: "a.rpl", rules: nil)
    }
    #expect(error?.place == "byte 2" && error?.problem.contains("neither a text nor") == true)
  }

  @Test("the saved state of the browser game is its board and score")
  func savedState() throws {
    func state(_ cells: String) -> String {
      #"{"grid":{"size":4,"cells":\#(cells)},"score":20,"over":false}"#
    }
    let cells =
      #"[[{"position":{"x":0,"y":0},"value":2},null,null,null],[null,{"position":{"x":1,"y":1},"value":8},null,null],"#
      + #"[null,null,null,null],[{"position":{"x":3,"y":0},"value":131072},null,null,null]]"#
    let escaped = state(cells).replacing("\"", with: #"\""#)
    for text in [
      state(cells), "\n" + state(cells), #"{"bestScore":"7","gameState":"\#(escaped)"}"#,
    ] {
      let game = try PlayedGame(reading: Data(text.utf8), name: "state", rules: nil)
      #expect(game.board.text == "100H030000000000" && game.score == 20 && game.moves.isEmpty)
      let error = #expect(throws: LocatedError.self) { try game.requireMoves(name: "state") }
      #expect(error?.remedy == "evaluate the board with learn2048 analyze 100H030000000000")
    }
    for (text, words) in [
      ("{}", "without the grid"), (state("[[]]"), "has a board of 1 columns"),
      (state(cells.replacing("131072", with: "3")), #"column 4, row 1"#),
      (state(cells.replacing("[null,null,null,null]", with: "[]")), "column 3"),
    ] {
      let error = #expect(throws: LocatedError.self) {
        try PlayedGame(reading: Data(text.utf8), name: "state", rules: nil)
      }
      #expect("\(error!)".contains(words), "\(error!)")
    }
  }

  @Test(
    "a game needs a move", arguments: ["", "# nothing", "1120000000000000", "0123012301230123"])
  func noMove(text: String) throws {
    #expect(try #require(failure(of: text)).problem == "has no move")
  }

  @Test("tiles outside a smaller board are an error")
  func smallBoard() throws {
    let error = try #require(failure(of: "0001000000000000", rules: Rules(size: 3)))
    #expect(error.problem.contains("3x3"))
  }

  /// Returns a whole game of random moves.
  private func randomGame(_ seed: Int, _ rules: Rules) throws -> (PlayedGame, GameResult) {
    let result = GameResult(
      of: RandomPlayer(rules: rules, seed: UInt64(seed)),
      spawns: GameSpawns(seed: UInt64(seed), game: 0), rules: rules, isRecorded: true)
    return (try PlayedGame(GameReplay(try #require(result.record), rules: rules)), result)
  }

  @Test("the text of replay is read as the same game", arguments: [2, 3, 4])
  func text(size: Int) throws {
    let rules = Rules(size: size)
    for seed in 0..<5 {
      let (recorded, result) = try randomGame(seed, rules)
      let text = recorded.text(title: "random, game 1 of 1, seed 1")
      let lines = text.split(separator: "\n")
      #expect(lines[0] == "# random, game 1 of 1, seed 1")
      #expect(lines[1] == "0 start 0 \(recorded.moves[0].board.text)")
      #expect(lines.count == 2 + result.moves + size + 1)
      let game = try read(text, rules: rules)
      #expect(game.moves == recorded.moves)
      #expect(game.board == recorded.board && game.score == result.score)
      #expect(game.text(title: "random, game 1 of 1, seed 1") == text)
    }
  }

  @Test("every board has the move that led to it, and its reward")
  func positions() throws {
    let game = try read(
      "1120000000000000\n4,4,0,0/2,0,0,0/0,0,0,0/0,0,0,0\n8 0 0 0 2 0 0 4 0 0 0 0 0 0 0 0")
    let positions = (0...2).map { game.position(after: $0) }
    #expect(positions.map(\.score) == [0, 4, 12])
    #expect(positions.map(\.board.text).last == "3000100200000000")
    #expect(positions[0].move == nil && positions[0].board.text == "1120000000000000")
    #expect(positions.dropFirst().map { $0.move?.direction } == [.left, .left])
    #expect(positions.dropFirst().map { $0.move?.reward } == [4, 8])
  }

  @Test("the moves of whole games are found from their boards", arguments: [2, 3, 4])
  func wholeGames(size: Int) throws {
    let rules = Rules(size: size)
    for seed in 0..<20 {
      let (recorded, result) = try randomGame(seed, rules)
      #expect(recorded.score == result.score && recorded.moves.count == result.moves)
      var game = PlayedGame(from: recorded.moves[0].board, rules: rules)
      for board in recorded.moves.dropFirst().map(\.board) + [recorded.board] {
        let isAllowed = game.append(board)
        #expect(isAllowed)
      }
      #expect(game.board == recorded.board)
      // Few early boards are reached in two directions, and both earn the same.
      let differing = zip(game.moves, recorded.moves).filter { $0 != $1 }
      #expect(differing.allSatisfy { $0.board == $1.board && $0.score == $1.score })
      #expect(differing.count < 5)
    }
  }
}
