import Basics
import EndgameTables
import Foundation
import Game2048
import TestSupport
import Testing

@testable import Play
@testable import Training
@testable import WebInterface

@Suite("Requests to the web interface")
struct WebRequestTests {
  // Promise: The page is for those who may see it
  @Test("the page loads nothing from elsewhere")
  func page() throws {
    let interface = WebInterface.forTests()
    let page = try interface.get("/")
    #expect(page.headers["Content-Type"] == "text/html; charset=utf-8")
    for file in PageFile.all {
      let answer = try interface.get("/page/\(file.name)")
      #expect(answer.status == 200)
      let policy = try #require(answer.headers["Content-Security-Policy"])
      #expect(policy.hasPrefix("default-src 'none'") && !policy.contains("unsafe"))
      let text = String(decoding: answer.body, as: UTF8.self)
      let addresses = text.components(separatedBy: "http").dropFirst().filter {
        !$0.hasPrefix("://www.w3.org/2000/svg")
      }
      #expect(addresses.isEmpty, "\(file.name): \(addresses)")
      if file.name == "page.html" {
        #expect(answer.body == page.body)
        #expect(text.hasPrefix("<!DOCTYPE html>") && text.hasSuffix("</html>\n"))
      }
    }
    #expect(try interface.get("/page/none.js").status == 404)
    #expect(
      try interface.get("/page/main.js").headers["Content-Type"]?.hasPrefix("text/javascript")
        == true)
  }

  @Test("the page's files name only files that exist, and every file is used")
  func files() throws {
    var used: Set = ["page.html"]
    for file in PageFile.all {
      let text = String(decoding: file.bytes, as: UTF8.self)
      let pattern = file.name == "page.html" ? /"page\/([a-z.]+)"/ : /from "\.\/([a-z.]+)"/
      for match in text.matches(of: pattern) {
        let name = String(match.output.1)
        #expect(PageFile.all.contains { $0.name == name }, "\(file.name) names \(name)")
        used.insert(name)
      }
    }
    #expect(used == Set(PageFile.all.map(\.name)))
  }

  @Test("every offered player answers")
  func offeredPlayers() throws {
    let interface = WebInterface.forTests()
    let server = try interface.get("/api/server").json
    #expect(server["model"] as? String == "small")
    #expect(server["boardSize"] as? Int == 4)
    let players = try #require(server["players"] as? [[String: Any]])
    #expect(players.count > 5)
    #expect(Set(players.compactMap { $0["label"] as? String }).count == players.count)
    #expect(players[1]["label"] as? String == "small, 2 plies")
    for document in players {
      let player = try #require(document["player"] as? String)
      // Hardly any move is left, so that no search takes long.
      let answer = try interface.get(
        "/api/analyze", ["board": "1212212112122120", "player": player])
      #expect(answer.status == 200, "\(player): \(answer.error)")
      #expect(["down", "right"].contains(answer.json["best"] as? String), "\(player)")
      let arePoints = try #require(answer.json["valuesArePoints"] as? Bool)
      #expect(document["valuesArePoints"] as? Bool == arePoints, "\(player)")
    }
  }

  @Test("the endgame tables of the server are offered, and no others")
  func endgame() throws {
    let directory = try TemporaryDirectory()
    let shape = try #require(
      TableShape(locked: CellSet("###./###./..../....")!, goal: 5, target: .chain, margin: 0))
    _ = try TableBuilder(shape, directory: directory.path, threads: 1).build { _ in }
    let name = "learned:time=10,endgame=\(directory.path)"
    let interface = WebInterface.forTests(endgame: directory.path)
    _ = try interface.players.maker(of: try PlayerSpecification(name))
    // The tables are open, so their files are no longer needed.
    try FileManager.default.removeItem(atPath: directory.path)
    let offered = try interface.get("/api/server").json["players"] as? [[String: Any]]
    let player = try #require(offered?.first { $0["player"] as? String == name })
    #expect(player["label"] as? String == "small with tables, 10 ms per move")
    #expect(player["valuesArePoints"] as? Bool == false)
    let answer = try interface.get(
      "/api/analyze", ["board": "EDC4BA5300110001", "player": name])
    #expect(answer.status == 200, "\(answer.error)")
    let moves = try #require(answer.json["moves"] as? [[String: Any]])
    let values = moves.compactMap { $0["value"] as? Double }
    #expect(!values.isEmpty && values.allSatisfy { (0...1).contains($0) }, "\(values)")
    let other = try interface.get(
      "/api/analyze", ["board": "EDC4BA5300110001", "player": "learned:endgame=/tmp"])
    #expect(other.status == 400 && other.error.contains(directory.path), "\(other.error)")
  }

  @Test("an analysis is the player's decision")
  func analysis() throws {
    let network = TestNetworks.random(["012", "456"])
    let interface = WebInterface.forTests(network: network)
    let board = try Board(text: "1023450112345670")
    let answer = try interface.get(
      "/api/analyze", ["board": board.text, "player": "learned:depth=3"])
    var player = try PlayerFactory(network: network).player(
      PlayerSpecification("learned:depth=3"), seed: 0)
    let decision = player.decide(on: board)
    #expect(answer.json["best"] as? String == decision.best.map { "\($0)" })
    struct Document: Decodable {
      struct Move: Decodable {
        let legal: Bool
        let value: Double?
      }
      let moves: [Move]
    }
    let moves = try JSONDecoder().decode(Document.self, from: Data(answer.body)).moves
    #expect(moves.map(\.value) == decision.moves.map(\.value))
    #expect(moves.map(\.legal) == decision.moves.map(\.legal))
    #expect(answer.json["player"] as? String == "learned:depth=3")
    #expect(answer.json["milliseconds"] is Double)
  }

  @Test("an analysis with a seed has the answer of the best move")
  func next() throws {
    let interface = WebInterface.forTests()
    let board = "1023450112345670"
    let answer = try interface.get(
      "/api/analyze", ["board": board, "player": "greedy", "seed": "5", "moves": "7"]
    ).json
    let move = try interface.get(
      "/api/move",
      [
        "board": board, "direction": try #require(answer["best"] as? String), "seed": "5",
        "moves": "7",
      ])
    #expect(move.status == 200)
    #expect(answer["next"] as? NSDictionary == move.json as NSDictionary)
    let over = try interface.get(
      "/api/analyze", ["board": "1212212112122121", "player": "greedy", "seed": "5"])
    #expect(over.status == 200 && over.json["next"] == nil)
  }

  @Test("the random player draws another move on another board")
  func randomPlayer() throws {
    let interface = WebInterface.forTests()
    var moves: Set<String> = []
    for tile in 1...8 {
      // All four moves are legal.
      let board = "00000\(tile)0000000000"
      let answer = try interface.get("/api/analyze", ["board": board, "player": "random"])
      let again = try interface.get("/api/analyze", ["board": board, "player": "random"])
      #expect(again.json["best"] as? String == answer.json["best"] as? String)
      moves.insert(try #require(answer.json["best"] as? String))
    }
    #expect(moves.count > 2)
  }

  @Test("a board without a move has no best one")
  func gameOver() throws {
    let answer = try WebInterface.forTests().get(
      "/api/analyze", ["board": "1212212112122121", "player": "learned:depth=2"])
    #expect(answer.status == 200)
    #expect(answer.json["best"] is NSNull)
  }

  @Test(
    "a request that cannot be answered gets one clear error",
    arguments: [
      ("/api/analyze?board=12&player=greedy", 400, "this has 2 characters"),
      ("/api/analyze?board=x000000000000000&player=greedy", 400, "character 1"),
      ("/api/analyze?board=1100000000000000&player=greedy&exponents=yes", 400, "Use 0 or 1"),
      ("/api/analyze?player=greedy", 400, "board is missing"),
      ("/api/analyze?board=1100000000000000", 400, "player is missing"),
      ("/api/analyze?board=1100000000000000&player=lerned", 400, "learned"),
      ("/api/analyze?board=1100000000000000&player=learned:model=x", 400, "small"),
      ("/api/analyze?board=1100000000000000&player=learned:depth=5", 400, "at most 4 plies"),
      ("/api/analyze?board=1100000000000000&player=learned:time=6000", 400, "at most 5000 ms"),
      ("/api/analyze?board=1100000000000000&player=heuristic:nodes=1e9", 400, "at most 1e7 nodes"),
      ("/api/analyze?board=1100000000000000&player=learned:depth=2,table=1G", 400, "256M"),
      ("/api/analyze?board=1100000000000000&player=learned:depth=3,threads=17", 400, "16 threads"),
      ("/api/analyze?board=1100000000000000&player=learned:tables=/tmp", 400, "endgame tables"),
      ("/api/analyze?board=1100000000000000&player=learned:endgame=/tmp", 400, "endgame tables"),
      (
        "/api/analyze?board=1100000000000000&player=heuristic:depth=auto,probability=1e-9", 400,
        "a probability of at least 0.0001"
      ),
      (
        "/api/analyze?board=1100000000000000&player=montecarlo:simulations=2000", 400,
        "at most 1000"
      ),
      ("/api/move?board=1100000000000000&direction=west&seed=1&moves=0", 400, "direction=west"),
      ("/api/move?board=1100000000000000&direction=left&seed=-1&moves=0", 400, "seed=-1"),
      ("/api/move?board=1100000000000000&direction=left&seed=1", 400, "moves is missing"),
      ("/api/game?seed=1&seed=2", 400, "seed is given twice"),
      ("/api/game?sed=1", 400, "unknown parameter 'sed'. Parameters: seed."),
      ("/api/game/1", 404, "/api/game/1"),
      ("/api/games?after=x", 400, "after=x"),
      ("/api/games/1", 404, "serve --games"),
      ("/api/runs/none", 404, "no run 'none'"),
      ("/page/none.js", 404, "no file 'none.js'"),
    ])
  func badRequests(target: String, status: Int, error: String) throws {
    let answer = try WebInterface.forTests().get(target: target)
    #expect(answer.status == status)
    #expect(answer.error.contains(error), "\(answer.error)")
  }

  @Test("tiles outside a smaller board are refused")
  func smallBoard() throws {
    let interface = WebInterface.forTests(
      network: TestNetworks.random(["012"], size: 3), rules: Rules(size: 3))
    let answer = try interface.get(
      "/api/analyze", ["board": "0001000000000000", "player": "greedy"])
    #expect(answer.status == 400)
    #expect(answer.error.contains("3x3"))
  }

  @Test("the best move is a letter, and g if there is none")
  func bestMove() throws {
    let interface = WebInterface.forTests()
    for board in ["1023450112345670", "1212212112122120", "edc1ba9187611110"] {
      let letter = try interface.get("/move", ["board": board])
      #expect(letter.status == 200 && letter.headers["Content-Type"] == "text/plain")
      #expect(letter.headers["Access-Control-Allow-Origin"] == nil)
      let analysis = try interface.get(
        "/api/analyze", ["board": board, "player": PlayerSpecification.usualText])
      let best = try #require(analysis.json["best"] as? String)
      #expect(String(decoding: letter.body, as: UTF8.self) == String(best.prefix(1)))
    }
    let over = try interface.get("/move", ["board": "1212212112122121"])
    #expect(over.body == Array("g".utf8))
    let greedy = try interface.get("/move", ["board": "1100000000000320", "player": "greedy"])
    #expect(["l", "r"].contains(String(decoding: greedy.body, as: UTF8.self)))
    #expect(try interface.get("/move", ["board": "11", "player": "greedy"]).status == 400)
    #expect(
      try interface.get("/move", ["board": "1100000000000320", "player": "learned:depth=5"]).status
        == 400)
  }

  @Test("HEAD gets the headers of GET, and no body")
  func head() throws {
    let interface = WebInterface.forTests()
    for path in ["/", "/api/server", "/api/nothing"] {
      let (get, head) = (
        try interface.get(path), try interface.get(path, method: "HEAD")
      )
      #expect(head.status == get.status)
      #expect(head.headers["Content-Type"] == get.headers["Content-Type"])
      #expect(head.headers["Content-Length"] == String(get.body.count))
      #expect(head.body.isEmpty)
    }
  }
}
