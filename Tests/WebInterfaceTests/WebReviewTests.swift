import Foundation
import Game2048
import TestSupport
import Testing

@testable import Play
@testable import WebInterface

extension GameRecordFile {
  /// Returns recorded games of players, as `evaluate --record` writes them.
  static func forTests(
    players: [String], games: Int = 2, seed: UInt64 = 5
  ) throws -> GameRecordFile {
    let entries = try players.map { name in
      try (0..<games).map { game in
        let player = try PlayerFactory(network: TestNetworks.random(["012", "456"])).player(
          PlayerSpecification(name), seed: seed)
        let result = GameResult(
          of: player, spawns: GameSpawns(seed: seed, game: game), rules: .standard,
          isRecorded: true)
        return GameRecordFile.Entry(score: result.score, record: try #require(result.record))
      }
    }
    let header = GameRecordFile.Header(
      boardSize: 4, fourProbability: 0.1, seed: seed, players: players, games: games)
    return GameRecordFile(header: header, entries: entries)
  }
}

@Suite("Games to review in the web interface")
struct WebReviewTests {
  @Test("recorded games are listed with their scores, a thousand at a time")
  func list() throws {
    let games = try GameRecordFile.forTests(players: ["random", "rules"], games: 1_003)
    let interface = WebInterface.forTests(games: games)
    let all = try interface.get("/api/games").json
    #expect(all["players"] as? [String] == ["random", "rules"])
    #expect(all["games"] as? Int == 1_003)
    let list = try #require(all["list"] as? [[String: Any]])
    #expect(list.count == 1_000 && list[0]["game"] as? Int == 1)
    #expect(list[7]["scores"] as? [Int] == games.entries.map { $0[7].score })
    let rest = try #require(
      try interface.get("/api/games", ["after": "1000"]).json["list"] as? [[String: Any]])
    #expect(rest.map { $0["game"] as? Int } == [1_001, 1_002, 1_003])
    let none = try interface.get("/api/games", ["after": "9007199254740991"]).json
    #expect((none["list"] as? [Any])?.isEmpty == true)
  }

  @Test("the list ends with the last game that all players have, and each can have further ones")
  func differentNumbers() throws {
    let whole = try GameRecordFile.forTests(players: ["random", "greedy"], games: 3)
    var (header, entries) = (whole.header, whole.entries)
    header.gamesPerPlayer = [1, 3]
    entries[0].removeLast(2)
    let games = GameRecordFile(header: header, entries: entries)
    let interface = WebInterface.forTests(games: games)
    let all = try interface.get("/api/games").json
    #expect(all["games"] as? Int == 1)
    let list = try #require(all["list"] as? [[String: Any]])
    #expect(list.count == 1 && list[0]["scores"] as? [Int] == entries.map { $0[0].score })
    let last = try interface.get("/api/games/3", ["player": "greedy"]).json
    #expect(last["score"] as? Int == entries[1][2].score)
    let missing = try interface.get(target: "/api/games/2")
    #expect(missing.status == 404 && missing.error.contains("The last is 1"), "\(missing.error)")
    for number in ["+1", "01", "1%20", "-0"] {
      #expect(try interface.get(target: "/api/games/\(number)").status == 404, "\(number)")
    }
  }

  @Test("a text is the game that review reads, and errors name the line")
  func playedGame() throws {
    let interface = WebInterface.forTests()
    let text =
      "2 2 4 0\n0 0 0 0\n0 0 0 0\n0 0 0 0\nmove 2\n1 left +4 1099511627776 2200100000000000"
    let game = try interface.post("/api/played", text.replacing("1099511627776", with: "4"))
    #expect(game.json["boards"] as? [String] == ["1120000000000000", "2200100000000000"])
    #expect(game.json["moves"] as? [String] == ["left"])
    #expect(game.json["scores"] as? [Int] == [0, 4])
    // Scores count from the first one, however large it is.
    let large = try interface.post(
      "/api/played",
      "0 start 1099511627770 1120000000000000\n1 left +4 1099511627774 2200100000000000")
    #expect(large.json["scores"] as? [Int] == [1_099_511_627_770, 1_099_511_627_774])
    for (text, error) in [
      (text, "Line 6: states +4 and 1099511627776 points"),
      ("1120000000000000\n2", "Line 2: a board is"),
      ("", "The text has no move."), ("urdl", "The text has 4 moves and no boards"),
      ("2,2,4/0\n0", "Line 1: "),
    ] {
      let answer = try interface.post("/api/played", text)
      #expect(answer.status == 422 && answer.error.hasPrefix(error), "\(answer.error)")
    }
  }

  @Test("seeds above 2^53 are the same for JavaScript")
  func largeSeeds() throws {
    let seed = UInt64.max - 4
    let games = try GameRecordFile.forTests(players: ["greedy"], games: 1, seed: seed)
    let interface = WebInterface.forTests(games: games)
    let game = try interface.get("/api/games/1").json
    #expect(game["seed"] as? String == "\(seed)")
    let boards = try #require(game["boards"] as? [String])
    let start = try interface.get("/api/game", ["seed": "\(seed)"]).json
    #expect(start["seed"] as? String == "\(seed)" && start["board"] as? String == boards[0])
    let move = try interface.get(
      "/api/move",
      [
        "board": boards[0], "direction": try #require((game["moves"] as? [String])?[0]),
        "seed": "\(seed)", "moves": "0",
      ]
    ).json
    #expect(move["board"] as? String == boards[1])
    for seed in ["18446744073709551616", "-1", "+1", "1.5", ""] {
      let answer = try interface.get("/api/game", ["seed": seed])
      #expect(answer.status == 400 && answer.error.contains("18446744073709551615"), "\(seed)")
    }
  }

  @Test("a server without recorded games lists none")
  func none() throws {
    let all = try WebInterface.forTests().get("/api/games").json
    #expect(all["games"] as? Int == 0 && (all["list"] as? [Any])?.isEmpty == true)
  }

  @Test("a recorded game has its boards and moves")
  func game() throws {
    let games = try GameRecordFile.forTests(players: ["random", "greedy"])
    let interface = WebInterface.forTests(games: games)
    let answer = try interface.get("/api/games/2", ["player": "greedy"]).json
    let played = try PlayedGame(games.replay(player: 1, game: 1, path: "games"))
    #expect(answer["score"] as? Int == played.score)
    #expect(answer["seed"] as? String == "5")
    #expect(answer["player"] as? String == "greedy")
    let boards = try #require(answer["boards"] as? [String])
    #expect(boards == (played.moves.map(\.board) + [played.board]).map(\.text))
    #expect(answer["moves"] as? [String] == played.moves.map { "\($0.direction)" })
    let first = try interface.get("/api/games/1").json
    #expect(first["player"] as? String == "random")
  }

  @Test(
    "games that are not there are not found",
    arguments: [
      ("/api/games/0", "no game 0"), ("/api/games/3", "The last is 2"),
      ("/api/games/x", "no game x"), ("/api/games/1?player=greedy", "Players: random."),
    ])
  func missing(target: String, error: String) throws {
    let interface = try WebInterface.forTests(games: .forTests(players: ["random"]))
    let answer = try interface.get(target: target)
    #expect(answer.status == 404 && answer.error.contains(error), "\(answer.error)")
  }

  // Promise: A review leaves games alone
  @Test("a recorded game that breaks the rules is refused with its place")
  func invalid() throws {
    var record = GameRecord(bytes: [0, 4])
    record = GameRecord(bytes: record.bytes + [0])
    let header = GameRecordFile.Header(
      boardSize: 4, fourProbability: 0.1, seed: 1, players: ["random"], games: 1)
    let file = GameRecordFile(header: header, entries: [[.init(score: 0, record: record)]])
    let answer = try WebInterface.forTests(games: file).get("/api/games/1")
    #expect(answer.status == 422)
    #expect(answer.error.contains("games: game 1 of random: byte 2 of the game"), "\(answer.error)")
  }

  // Promise: A review leaves games alone
  @Test(
    "the analyses that the page asks for have the losses of a review",
    arguments: ["learned:depth=2", "montecarlo:simulations=3"])
  func losses(player: String) throws {
    let network = TestNetworks.random(["012", "456"])
    let games = try GameRecordFile.forTests(players: ["random"], games: 1)
    let interface = WebInterface.forTests(network: network, games: games)
    let played = try PlayedGame(games.replay(player: 0, game: 0, path: "games"))
    let makePlayer = try PlayerFactory(network: network).maker(of: PlayerSpecification(player))
    let review = GameReview(of: played, makePlayer: makePlayer)
    struct Document: Decodable {
      struct Move: Decodable {
        let value: Double?
      }
      let best: String
      let moves: [Move]
    }
    for move in review.moves {
      let answer = try interface.get(
        "/api/analyze", ["board": move.played.board.text, "player": player])
      let document = try JSONDecoder().decode(Document.self, from: Data(answer.body))
      let values = document.moves.map(\.value)
      let best = try #require(values.compactMap(\.self).max())
      #expect(best - values[move.played.direction.rawValue]! == move.loss)
      #expect(document.best == "\(move.best)")
      #expect(Double(move.played.score) + best == move.expected)
    }
  }
}
