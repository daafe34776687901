import Foundation
import Synchronization
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("serve")
struct ServeTests {
  private let workspace: Workspace

  init() throws {
    workspace = try Workspace()
    try workspace.train()
  }

  /// The status and the text that a server answers with.
  ///
  /// It waits on its thread: a test that is suspended goes on only after all that wait to begin, and
  /// its server would run as long.
  private func get(_ path: String, port: UInt16) throws -> (status: Int, text: String) {
    // A tester's proxy does not concern these tests.
    setenv("no_proxy", "127.0.0.1", 1)
    let url = try #require(URL(string: "http://127.0.0.1:\(port)\(path)"))
    let isDone = DispatchSemaphore(value: 0)
    let answer = Mutex<(status: Int, text: String)?>(nil)
    URLSession.shared.dataTask(with: url) { data, response, _ in
      if let data, let status = (response as? HTTPURLResponse)?.statusCode {
        answer.withLock { $0 = (status, String(decoding: data, as: UTF8.self)) }
      }
      isDone.signal()
    }.resume()
    isDone.wait()
    return try #require(answer.withLock { $0 })
  }

  private func port(of server: Program) throws -> UInt16 {
    try server.waitForLines(1)
    let address = try #require(URLComponents(string: String(server.output.dropLast())))
    #expect(address.host == "127.0.0.1")
    return UInt16(try #require(address.port))
  }

  @Test(
    "the page, the model and the runs are served until a signal comes",
    arguments: [EndingSignal.interrupt, .terminate])
  func serving(signal: EndingSignal) throws {
    let server = try workspace.start("serve", "--port", "0", "--model", "tiny")
    let port = try port(of: server)
    let page = try get("/", port: port)
    #expect(page.status == 200)
    #expect(page.text.contains("<!DOCTYPE html>"))
    let analysis = try get(
      "/api/analyze?board=1100000000000000&player=learned:depth=2", port: port)
    #expect(analysis.text.contains("\"best\":"), "\(analysis)")
    let runs = try get("/api/runs", port: port)
    #expect(runs.text.contains("\"name\":\"tiny\""), "\(runs)")
    #expect(try get("/nowhere", port: port).status == 404)
    server.send(signal.number)
    #expect(try server.finish().code == signal.code)
  }

  @Test("endgame tables that cannot be used are errors before the server starts")
  func endgameTables() throws {
    let none = try workspace.run("serve", "--model", "tiny", "--endgame", "none")
    #expect(none.code == 66 && none.errors.contains("no tables of chains"), "\(none)")
    let comma = try workspace.run("serve", "--model", "tiny", "--endgame", "a,b")
    #expect(comma.code == 64 && comma.errors.contains("commas"), "\(comma)")
  }

  @Test("recorded games are served for review")
  func recordedGames() throws {
    let recording = try workspace.run(
      "evaluate", "--against", "random", "--games", "2", "--record", "games", "--json")
    try #require(recording.code == 0, "\(recording)")
    let server = try workspace.start("serve", "--port", "0", "--model", "tiny", "--games", "games")
    let port = try port(of: server)
    let games = try JSON(get("/api/games", port: port).text)
    #expect(games["players"][0].string == "random" && games["games"].integer == 2)
    let game = try JSON(get("/api/games/2?player=random", port: port).text)
    #expect(game["score"] == games["list"][1]["scores"][0])
    server.send(SIGTERM)
    #expect(try server.finish().code == EndingSignal.terminate.code)
    try workspace.damage("games") { $0 / 2 }
    let damaged = try workspace.run("serve", "--model", "tiny", "--games", "games")
    #expect(damaged.code == 65 && damaged.errors.contains("byte "), "\(damaged)")
  }

  // Promise: The page is for those who may see it
  @Test("a server that may open hardly any files goes on after too many connections")
  func fewFiles() throws {
    let server = try workspace.startShell(
      #"ulimit -n 20; exec "$learn2048" serve --port 0 --model tiny"#)
    let port = try port(of: server)
    do {
      let clients = try (0..<80).map { _ in try SocketClient(port: Int(port)) }
      // The first are answered, so the server has accepted as many as it can.
      clients[0].get("/")
      #expect(clients[0].receive())
      #expect(!clients[79].isAnswered(within: 100))
    }
    #expect(try get("/api/runs", port: port).status == 200)
    server.send(SIGTERM)
    #expect(try server.finish().code == EndingSignal.terminate.code)
  }

  // Promise: The page is for those who may see it
  @Test("a server for other machines prints addresses with its token, and warns")
  func otherMachines() throws {
    let server = try workspace.start(
      "serve", "--port", "0", "--model", "tiny", "--host", "0.0.0.0")
    try server.waitForLines(1)
    let line = try #require(server.output.split(separator: "\n").first)
    let address = try #require(URLComponents(string: String(line)))
    let token = try #require(address.queryItems?.first { $0.name == "token" }?.value)
    #expect(token.count == 26 && address.host != "0.0.0.0")
    let port = UInt16(try #require(address.port))
    let refusal = try get("/api/server", port: port)
    #expect(refusal.status == 403 && refusal.text.contains("requires its token"), "\(refusal)")
    #expect(try get("/api/server?token=\(token)", port: port).status == 200)
    server.send(SIGTERM)
    let outcome = try server.finish()
    #expect(outcome.code == EndingSignal.terminate.code)
    #expect(outcome.errors.contains("warning: this server is open to other machines"), "\(outcome)")
  }

  @Test("an address of another machine, and what is none, are rejected")
  func badAddresses() throws {
    let other = try workspace.run(
      "serve", "--port", "0", "--model", "tiny", "--host", "203.0.113.1")
    #expect(other.code == 64 && other.errors.contains("not an address of this machine"), "\(other)")
    let none = try workspace.run("serve", "--host", "example.org")
    #expect(none.code == 64 && none.errors.contains("not an IP address"), "\(none)")
    let origin = try workspace.run("serve", "--allow-origin", "*")
    #expect(origin.code == 64 && origin.errors.contains("not the origin of a site"), "\(origin)")
  }

  @Test("a port that is taken is refused, with the remedy")
  func portInUse() throws {
    let server = try workspace.start("serve", "--port", "0", "--model", "tiny")
    let port = try port(of: server)
    let outcome = try workspace.run("serve", "--port", "\(port)", "--model", "tiny")
    #expect(outcome.code == 75)
    #expect(
      outcome.errors.contains("cannot listen on port \(port): address already in use. "),
      "\(outcome)")
    server.send(SIGTERM)
    _ = try server.finish()
  }

  @Test("an invalid port and a missing model are rejected")
  func badArguments() throws {
    let port = try workspace.run("serve", "--port", "65536")
    #expect(port.code == 64)
    #expect(port.errors.contains("whole number from 0 to 65535"), "\(port)")
    let model = try workspace.run("serve", "--model", "none")
    #expect(model.code == 66)
    #expect(model.errors.contains("none: no such model"), "\(model)")
  }
}
