import Basics
import EndgameTables
import Foundation
import Game2048
import TestSupport
import Testing

@testable import Checkpoints
@testable import Players
@testable import WebInterface

@Suite("Requests to the web interface")
struct WebRequestTests {
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
    var tables = OpenedTables()
    try tables.open(for: try PlayerSpecification(name))
    // The tables are open, so their files are no longer needed.
    try FileManager.default.removeItem(atPath: directory.path)
    let interface = WebInterface.forTests(endgame: (directory.path, tables))
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
    var player = try PlayerSpecification("learned:depth=3").makePlayer(seed: 0) { _ in network }
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

  @Test("other sites are refused, and so is everything but GET and HEAD")
  func strangers() throws {
    let interface = WebInterface.forTests()
    #expect(try interface.get("/", headers: ["Host": "127.0.0.1:2048"]).status == 200)
    #expect(try interface.get("/", headers: ["Host": "localhost"]).status == 200)
    #expect(try interface.get("/", headers: ["Host": "[::1]:2048"]).status == 200)
    #expect(try interface.get("/", headers: ["Host": "evil.example:2048"]).status == 403)
    #expect(try interface.get("/", headers: ["Host": "127.0.0.1.evil.example"]).status == 403)
    #expect(try interface.get("/", headers: ["Host": "192.168.1.5:2048"]).status == 403)
    let site = "Sec-Fetch-Site"
    #expect(try interface.get("/", headers: [site: "same-origin"]).status == 200)
    #expect(try interface.get("/", headers: [site: "cross-site"]).status == 403)
    #expect(try interface.get("/api/runs", headers: [site: "same-site"]).status == 403)
    // Somebody follows a link.
    let navigation = [site: "cross-site", "Sec-Fetch-Mode": "navigate"]
    #expect(try interface.get("/", headers: navigation).status == 200)
    #expect(try interface.get("/api/runs", headers: navigation).status == 403)
    let refusal = try interface.get("/api/game", method: "POST")
    #expect(refusal.status == 405 && refusal.headers["Allow"] == "GET, HEAD")
  }

  @Test("a server for other machines answers only who has its token")
  func token() throws {
    let token = AccessToken()
    let interface = WebInterface.forTests(token: token)
    let wrong = token.text.dropLast() + (token.text.hasSuffix("a") ? "b" : "a")
    for path in ["/", "/page/main.js", "/api/game", "/api/runs", "/api/nothing"] {
      let refusal = try interface.get(path)
      #expect(refusal.status == 403 && refusal.error.contains("requires its token"))
      for text in ["", "?", String(wrong), token.text + "a", String(token.text.dropLast())] {
        #expect(try interface.get(target: "\(path)?token=\(text)").status == 403)
        #expect(try interface.get(path, headers: ["Cookie": "token=\(text)"]).status == 403)
      }
      #expect(try interface.get(path, headers: ["Cookie": "x\(token.text)"]).status == 403)
    }
    let game = try interface.get("/api/game", ["seed": "7", "token": token.text])
    #expect(game.json["seed"] as? Int == 7 && game.headers["Set-Cookie"] == nil)
    #expect(
      try interface.get("/api/game", headers: ["Cookie": "a=b; token=\(token.text)"]).status == 200)
    #expect(try interface.get("/api/nothing", ["token": token.text]).status == 404)
    // A server for this machine has none.
    #expect(try WebInterface.forTests().get("/api/game", ["token": token.text]).status == 400)
  }

  @Test("a browser keeps the token of the address as a cookie of this page only")
  func cookie() throws {
    let token = AccessToken()
    let interface = WebInterface.forTests(token: token)
    let page = try interface.get("/", ["token": token.text])
    let cookie = try #require(page.headers["Set-Cookie"])
    #expect(cookie.hasPrefix("token=\(token.text); "))
    #expect(cookie.contains("; HttpOnly") && cookie.contains("; SameSite=Strict"))
    #expect(page.headers["Referrer-Policy"] == "no-referrer")
    #expect(
      try interface.get("/", headers: ["Cookie": "token=\(token.text)"]).headers["Set-Cookie"]
        == nil)
  }

  @Test("with a token, other sites and host names are refused all the same")
  func strangersWithToken() throws {
    let token = AccessToken()
    let interface = WebInterface.forTests(token: token)
    func status(_ headers: [String: String]) throws -> Int {
      let cookie = ["Cookie": "token=\(token.text)"]
      return try interface.get("/api/game", headers: headers.merging(cookie) { $1 }).status
    }
    for host in ["192.168.1.5:2048", "[fd00::5]:2048", "localhost:2048"] {
      #expect(try status(["Host": host]) == 200, "\(host)")
    }
    for host in ["evil.example", "192.168.1.5.evil.example:2048", "[::1", "", "host:2048"] {
      #expect(try status(["Host": host]) == 403, "\(host)")
    }
    #expect(try status(["Sec-Fetch-Site": "cross-site"]) == 403)
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

  @Test("only the sites that are allowed may ask for moves, and for nothing else")
  func origins() throws {
    let site = try #require(AllowedOrigin("https://example.org"))
    let interface = WebInterface.forTests(origins: [site])
    func get(_ path: String, from origin: String, to interface: WebInterface) throws -> Answer {
      try interface.get(
        target: path,
        headers: ["Origin": origin, "Sec-Fetch-Site": "cross-site", "Host": "localhost:2048"])
    }
    let move = "/move?board=1100000000000000"
    let answer = try get(move, from: "https://example.org", to: interface)
    #expect(answer.status == 200 && answer.body.count == 1)
    #expect(answer.headers["Access-Control-Allow-Origin"] == "https://example.org")
    #expect(answer.headers["Vary"] == "Origin")
    // The page can read the reason, too.
    for path in ["/move?board=1", "/move?bord=1100000000000000", move + "&board=1"] {
      let wrong = try get(path, from: "https://example.org", to: interface)
      #expect(wrong.status == 400)
      #expect(wrong.headers["Access-Control-Allow-Origin"] == "https://example.org", "\(path)")
    }
    for origin in [
      "https://evil.example", "http://example.org", "https://example.org:8443", "null", "",
    ] {
      let refusal = try get(move, from: origin, to: interface)
      #expect(refusal.status == 403, "\(origin)")
      #expect(refusal.headers["Access-Control-Allow-Origin"] == nil)
    }
    for path in [
      "/", "/api/game", "/api/runs", "/api/analyze?board=1100000000000000&player=greedy",
    ] {
      #expect(try get(path, from: "https://example.org", to: interface).status == 403, "\(path)")
    }
    #expect(try get(move, from: "https://example.org", to: .forTests()).status == 403)
    // The origin counts where a browser sends no Sec-Fetch-Site, too.
    let old = try interface.get(
      target: "/api/game", headers: ["Origin": "https://evil.example", "Host": "localhost"])
    #expect(old.status == 403)
    let own = try interface.get(
      target: "/api/game", headers: ["Origin": "http://localhost:2048", "Host": "localhost:2048"])
    #expect(own.status == 200)
    // A name that resolves to this machine is refused, whatever its origin.
    let rebound = try interface.get(
      target: move, headers: ["Origin": "https://example.org", "Host": "example.org"])
    #expect(rebound.status == 403)
  }

  @Test(
    "what is no origin is refused",
    arguments: ["null", "*", "", "example.org", "file://x", "https://a/b", "https://a?b"])
  func noOrigins(text: String) {
    #expect(AllowedOrigin(text) == nil)
  }

  @Test("an origin is written as browsers send it")
  func originText() {
    #expect(AllowedOrigin("HTTPS://Example.org:443/")?.text == "https://example.org")
    #expect(AllowedOrigin("http://localhost:8000")?.text == "http://localhost:8000")
  }

  @Test("tokens are random")
  func tokens() {
    let texts = (0..<50).map { _ in AccessToken().text }
    #expect(Set(texts).count == 50 && texts.allSatisfy { $0.count == 26 })
    #expect(Set(texts.joined()).count == 32)
  }

  @Test(
    "an address is that of an interface",
    arguments: [
      ("127.0.0.1", true), ("localhost", true), ("127.8.8.8", true), ("::1", true),
      ("0:0:0:0:0:0:0:1", true), ("192.168.1.5", false), ("0.0.0.0", false), ("::", false),
      ("::ffff:127.0.0.1", false),
    ])
  func addresses(text: String, isLoopback: Bool) throws {
    let address = try #require(ServerAddress(text))
    #expect(address.isLoopback == isLoopback)
    #expect(!address.reachable.isEmpty)
    for other in address.reachable { #expect(!["0.0.0.0", "::"].contains(other.text)) }
  }

  @Test("what is no address is refused", arguments: ["", "host", "1.2.3", "1.2.3.4:5", "[::1]"])
  func noAddresses(text: String) {
    #expect(ServerAddress(text) == nil)
  }

  @Test("the address of the page is one that browsers open")
  func pageAddress() {
    let token = AccessToken()
    let page = ServerAddress("fd00::5").map { $0.page(port: 2048, token: token) }
    #expect(page == "http://[fd00::5]:2048/?token=\(token.text)")
    #expect(ServerAddress.loopback.page(port: 1, token: nil) == "http://127.0.0.1:1/")
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

@Suite("The documented requests")
struct EndpointTests {
  /// Values of parameters with which every endpoint answers.
  private let values = [
    "board": "1120000000000000", "direction": "left", "seed": "1", "moves": "0", "player": "greedy",
    "after": "100",
  ]

  private func get(
    _ endpoint: Endpoint, without missing: String? = nil, extra: [String: String] = [:]
  ) throws -> Answer {
    let parameters = (endpoint.parameters ?? []).map(\.name).filter { $0 != missing }
    let query = parameters.map { ($0, values[$0] ?? "") } + extra.map { ($0.key, $0.value) }
    let directory = try TemporaryDirectory()
    try FileManager.default.createDirectory(
      atPath: directory.file("NAME"), withIntermediateDirectories: false)
    try directory.write(Array(#"{"network": {"patterns": ["012"]}}"#.utf8), "NAME/config.json")
    let interface = try WebInterface.forTests(
      runs: [RunDirectory(path: directory.file("NAME"))], games: .forTests(players: ["greedy"]))
    let path =
      switch endpoint {
      case .pageFile: "/page/page.css"
      case .recordedGame: "/api/games/1"
      default: endpoint.path
      }
    return try interface.get(
      target: path + "?" + query.map { "\($0.0)=\($0.1)" }.joined(separator: "&"))
  }

  @Test("every one answers with its parameters", arguments: Endpoint.allCases)
  func answers(endpoint: Endpoint) throws {
    #expect(try get(endpoint).status == 200)
  }

  @Test("every parameter is required, or not, as documented", arguments: Endpoint.allCases)
  func required(endpoint: Endpoint) throws {
    for parameter in endpoint.parameters ?? [] {
      let answer = try get(endpoint, without: parameter.name)
      #expect(answer.status == (parameter.isRequired ? 400 : 200), "\(parameter.name)")
    }
    let unknown = try get(endpoint, extra: ["frobnicate": "1"])
    #expect(unknown.status == (endpoint.parameters == nil ? 200 : 400))
  }

  @Test("an answer has the keys that are named first in its documentation")
  func keys() throws {
    for (endpoint, keys) in [
      (Endpoint.server, ["version", "model", "boardSize", "players"]), (.game, ["seed", "board"]),
      (.move, ["afterstate", "reward", "slides", "spawn", "board", "isOver"]),
      (
        .analyze,
        ["board", "best", "moves", "player", "valuesArePoints", "milliseconds", "next"]
      ),
      (.recordedGames, ["players", "games", "list"]),
      (.recordedGame, ["game", "player", "seed", "score", "boards", "moves"]),
    ] {
      #expect(try Set(get(endpoint).json.keys) == Set(keys), "\(endpoint.path)")
    }
    #expect(try get(.configuration).json.keys.contains("learning"))
    let run = try #require(try get(.runs).array.first)
    #expect(Set(run.keys) == ["name", "isTraining"])
  }

  @Test("the OpenAPI description has every request with its parameters and statuses")
  func openAPI() throws {
    let document = try get(.interfaceDescription).json
    #expect(document["openapi"] as? String == "3.1.0")
    let paths = try #require(document["paths"] as? [String: [String: [String: Any]]])
    #expect(paths.count == Endpoint.allCases.count)
    for endpoint in Endpoint.allCases {
      let path = endpoint.variable.map { endpoint.fixedStart! + "{\($0)}" } ?? endpoint.path
      let operation = try #require(paths[path]?["get"], "\(path)")
      let parameters = try #require(operation["parameters"] as? [[String: Any]])
      let names = (endpoint.parameters ?? []).map(\.name) + [endpoint.variable].compactMap { $0 }
      #expect(parameters.map { $0["name"] as? String } == names)
      let statuses = Set((endpoint.errors + Endpoint.commonErrors).map { "\($0.status)" })
      let responses = try #require(operation["responses"] as? [String: Any])
      #expect(Set(responses.keys) == statuses.union(["200"]))
    }
    // References lead to schemas.
    let components = try #require(document["components"] as? [String: [String: Any]])
    let schemas = try #require(components["schemas"]).keys
    for match in Endpoint.openAPIText.matches(of: /"#\/components\/schemas\/(\w+)"/) {
      #expect(schemas.contains(String(match.output.1)))
    }
    let report = try #require(components["schemas"]?["Report"] as? [String: Any])
    let keys = try #require(report["properties"] as? [String: Any]).keys
    #expect(keys.contains("meanScore") && keys.contains("evaluation"))
  }

  @Test("other paths are not found", arguments: ["/api", "/api/", "/page", "/api/server/", "//"])
  func others(path: String) throws {
    #expect(try WebInterface.forTests().get(path).status == 404)
  }
}

@Suite("Runs in the web interface")
struct WebRunTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func run(_ name: String, episodes: [Int]) throws -> RunDirectory {
    try FileManager.default.createDirectory(
      atPath: directory.file(name), withIntermediateDirectories: false)
    let lines = episodes.map {
      """
      {"episodes":\($0),"moves":\(10 * $0),"wallSeconds":2,"movesPerSecond":5,"meanScore":\(3 * $0),\
      "maxScore":9,"reached":{},"learningRate":1}

      """
    }
    // A kill has cut the last line short.
    try directory.write(
      Array((lines.joined() + #"{"episodes":99"#).utf8), name + "/metrics.jsonl")
    return RunDirectory(path: directory.file(name))
  }

  @Test("runs are listed with their last report, the latest first")
  func list() throws {
    let long = Array(stride(from: 1, through: 2_000, by: 1))
    let runs = [try run("first", episodes: [100, 200]), try run("second run", episodes: long)]
    let hourAgo = Date(timeIntervalSinceNow: -3_600)
    try FileManager.default.setAttributes(
      [.modificationDate: hourAgo], ofItemAtPath: runs[0].metricsPath)
    let lock = try DirectoryLock(run: runs[1].path)
    let list = try WebInterface.forTests(runs: runs).get("/api/runs").array
    withExtendedLifetime(lock) {}
    #expect(list.map { $0["name"] as? String } == ["second run", "first"])
    #expect(list.map { $0["isTraining"] as? Bool } == [true, false])
    #expect(list.map { ($0["last"] as? [String: Any])?["episodes"] as? Int } == [2_000, 200])
  }

  @Test("a run without reports is listed without one")
  func empty() throws {
    let run = RunDirectory(path: directory.file("none"))
    let list = try WebInterface.forTests(runs: [run]).get("/api/runs").array
    #expect(list.count == 1)
    #expect(list[0]["last"] == nil || list[0]["last"] is NSNull)
  }

  @Test(
    "the time left of a run that is training is that to its limit, at the speed of the last report")
  func timeLeft() throws {
    let run = try run("run", episodes: [])
    func write(_ seconds: [Double], limit: String) throws -> Double? {
      let lines = seconds.enumerated().map { index, seconds in
        """
        {"episodes":\(10 * (index + 1)),"moves":\(1_000 * (index + 1)),"wallSeconds":\(seconds),\
        "movesPerSecond":5,"meanScore":3,"maxScore":9,"reached":{},"learningRate":1}

        """
      }
      try directory.write(Array(lines.joined().utf8), "run/metrics.jsonl")
      try directory.write(
        Array(#"{"network":{"patterns":["012"]},"episodes":0,"limit":{\#(limit)}}"#.utf8),
        "run/config.json")
      let list = try WebInterface.forTests(runs: [run]).get("/api/runs").array
      return list[0]["secondsLeft"] as? Double
    }
    _ = try write([10], limit: "")
    let lock = try DirectoryLock(run: run.path)
    // 1,000 moves took 90 s at last, and 8,000 are left. The report is hardly older than the request.
    let left = try #require(try write([10, 100], limit: #""moves":10000"#))
    #expect(left > 700 && left <= 720)
    #expect(try #require(try write([10], limit: #""moves":2000"#)) <= 10)
    #expect(try write([], limit: #""moves":2000"#) == nil)
    #expect(try write([10], limit: "") == nil)
    func secondsLeft(hoursSince begin: [String: Double]) throws -> Double? {
      for (name, hours) in begin {
        try FileManager.default.setAttributes(
          [.modificationDate: Date(timeIntervalSinceNow: -3_600 * hours)],
          ofItemAtPath: directory.file("run/\(name)"))
      }
      let list = try WebInterface.forTests(runs: [run]).get("/api/runs").array
      return list[0]["secondsLeft"] as? Double
    }
    // A run that was resumed just now has all its time left, whenever the last report was made; another one is late.
    _ = try write([10, 100], limit: #""moves":10000"#)
    let resumed = try #require(try secondsLeft(hoursSince: ["metrics.jsonl": 1, "lock": 0]))
    #expect(resumed > 700 && resumed <= 720)
    #expect(try secondsLeft(hoursSince: ["metrics.jsonl": 1, "lock": 2]) == 0)
    withExtendedLifetime(lock) {}
  }

  @Test("a run that no process trains has no time left")
  func ended() throws {
    let run = try run("ended", episodes: [100, 200])
    let list = try WebInterface.forTests(runs: [run]).get("/api/runs").array
    #expect(list[0]["isTraining"] as? Bool == false && list[0]["secondsLeft"] == nil)
  }

  @Test("a run's configuration has every key, and one that is damaged is reported")
  func configuration() throws {
    let run = try run("a run", episodes: [])
    let interface = WebInterface.forTests(runs: [run])
    try directory.write(
      Array(#"{"network":{"patterns":["012"]},"learning":{"lambda":0.25}}"#.utf8),
      "a run/config.json")
    let answer = try interface.get("/api/configurations/a run")
    #expect(answer.status == 200)
    let learning = try #require(answer.json["learning"] as? [String: Any])
    #expect(learning["lambda"] as? Double == 0.25 && learning["method"] as? String == "td")
    #expect(try interface.get("/api/configurations/another").status == 404)
    try directory.write(Array("{".utf8), "a run/config.json")
    let damaged = try interface.get("/api/configurations/a run")
    #expect(damaged.status == 422 && damaged.error.contains("config.json"), "\(damaged.error)")
  }

  @Test("a run's reports are those of its file, and those after some episodes on request")
  func reports() throws {
    let run = try run("a 50%25 run", episodes: [100, 200, 300])
    let interface = WebInterface.forTests(runs: [run])
    let all = try interface.get("/api/runs/a 50%25 run").array
    #expect(all.map { $0["episodes"] as? Int } == [100, 200, 300])
    #expect(all.map { $0["meanScore"] as? Int } == [300, 600, 900])
    let later = try interface.get("/api/runs/a 50%25 run", ["after": "200"]).array
    #expect(later.map { $0["episodes"] as? Int } == [300])
  }
}
