import Basics
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

  @Test("a game needs a move", arguments: ["", "# nothing", "1120000000000000"])
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
