import Game2048
import TestSupport
import Testing

@testable import Play
@testable import WebInterface

@Suite("Games of the web interface")
struct WebGameTests {
  @Test("a game played request by request is the arena's, board for board", arguments: [3, 4])
  func game(size: Int) throws {
    let rules = Rules(size: size)
    let network = TestNetworks.random(["012", "456"], size: size)
    let interface = WebInterface.forTests(network: network, rules: rules)
    let player = try PlayerFactory(network: network, rules: rules).player(
      PlayerSpecification("learned:depth=1"), seed: 0)
    let expected = GameResult(
      of: player, spawns: GameSpawns(seed: 42, game: 0), rules: rules, isRecorded: true)

    let start = try interface.get("/api/game", ["seed": "42"]).json
    var board = try #require(start["board"] as? String)
    var boards = [board]
    var score = 0
    var moves = 0
    var isOver = false
    while !isOver {
      let analysis = try interface.get(
        "/api/analyze", ["board": board, "player": "learned:depth=1"]
      ).json
      let best = try #require(analysis["best"] as? String)
      let move = try interface.get(
        "/api/move", ["board": board, "direction": best, "seed": "42", "moves": "\(moves)"]
      ).json
      board = try #require(move["board"] as? String)
      boards.append(board)
      score += try #require(move["reward"] as? Int)
      isOver = try #require(move["isOver"] as? Bool)
      moves += 1
    }
    #expect(score == expected.score)
    #expect(moves == expected.moves)
    var replay = try GameReplay(try #require(expected.record), rules: rules)
    var expectedBoards = [replay.board.text]
    while let _ = try replay.step() { expectedBoards.append(replay.board.text) }
    #expect(boards == expectedBoards)
  }

  @Test("a move tells where tiles go, and which one is new")
  func move() throws {
    let interface = WebInterface.forTests()
    let move = try interface.get(
      "/api/move",
      ["board": "1120000000000000", "direction": "left", "seed": "1", "moves": "7"]
    ).json
    #expect(move["afterstate"] as? String == "2200000000000000")
    #expect(move["reward"] as? Int == 4)
    #expect(move["isOver"] as? Bool == false)
    let slides = try #require(move["slides"] as? [[String: Int]])
    #expect(slides == [["from": 0, "to": 0], ["from": 1, "to": 0], ["from": 2, "to": 1]])

    var expected = try Board(text: "2200000000000000")
    Rules.standard.spawn(on: &expected, bits: GameSpawns(seed: 1, game: 0).bits(9))
    #expect(move["board"] as? String == expected.text)
    let spawn = try #require(move["spawn"] as? [String: Int])
    #expect(expected[try #require(spawn["cell"])] == spawn["exponent"])
  }

  @Test(
    "boards are written as on the command line, with + for spaces",
    arguments: [
      "1120000000000000", "2+2+4+0/0+0+0+0/0+0+0+0/0+0+0+0",
      "2%202%204%200,0,0,0,0,0,0,0,0,0,0,0,0",
      "[[2,2,4,0],[0,0,0,0],[0,0,0,0],[0,0,0,0]]", "0x1120000000000000", "2,2,4,/,,,/,,,/,,,",
      "2%2B2%2B4%2B0/0+0+0+0/0+0+0+0/0+0+0+0", "2+2+4+0%0A0+0+0+0%0A0+0+0+0%0A0+0+0+0",
    ])
  func forms(board: String) throws {
    let answer = try WebInterface.forTests().get(
      target: "/api/analyze?player=greedy&board=\(board)")
    if board.contains("%202") {
      #expect(answer.status == 400 && answer.error.contains("row"), "\(answer.error)")
    } else {
      #expect(answer.status == 200 && answer.json["board"] as? String == "1120000000000000")
    }
  }

  @Test("a game without a seed has one that begins it again")
  func seed() throws {
    let interface = WebInterface.forTests()
    let game = try interface.get("/api/game").json
    let seed = try #require(game["seed"] as? String)
    let again = try interface.get("/api/game", ["seed": seed]).json
    #expect(again["board"] as? String == game["board"] as? String)
  }

  @Test(
    "a move that changes nothing is a conflict",
    arguments: [
      ("1200000000000000", "moving left changes nothing on 1200000000000000."),
      ("HH00000000000000", "moving left changes nothing on HH00000000000000."),
    ])
  func illegalMove(board: String, error: String) throws {
    let answer = try WebInterface.forTests().get(
      "/api/move", ["board": board, "direction": "left", "seed": "1", "moves": "0"])
    #expect(answer.status == 409)
    #expect(answer.error == error)
  }
}
