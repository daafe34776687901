import Dispatch
import Foundation
import TestSupport
import Testing

@testable import WebInterface

/// Over sockets on this machine.
@Suite("The web server")
struct WebServerTests {
  /// Calls `test` with a running server.
  private func withServer(
    _ change: (inout HTTPLimits) -> Void = { _ in }, _ test: (WebServer) throws -> Void
  ) throws {
    try withServer(change) { server, _ in try test(server) }
  }

  /// Calls `test` with a running server, and with its queue of searches.
  private func withServer(
    _ change: (inout HTTPLimits) -> Void = { _ in },
    _ test: (WebServer, DispatchQueue) throws -> Void
  ) throws {
    var limits = HTTPLimits()
    // A busy machine must not make a test fail.
    limits.requestSeconds = 60
    change(&limits)
    let interface = WebInterface.forTests(limits: limits, isSynchronous: false)
    let server = try WebServer(port: 0, interface)
    try test(server, interface.searchQueue)
    // Whatever happened, the next client is answered.
    let client = try SocketClient(port: server.port)
    client.get("/api/game")
    #expect(try client.answer().status == 200)
    try server.close()
  }

  // Promise: The page is for those who may see it
  @Test(
    "what exceeds a limit is rejected, and the connection closes",
    arguments: [
      (414, "GET /", "a", 2_000_000), (414, "GET /", "a", 4_092),
      (431, "GET / HTTP/1.1\r\nX: ", "a", 2_000_000), (431, "GET / HTTP/1.1\r\n", "a", 8_193),
      (431, "GET / HTTP/1.1\r\nX:", " ", 8_191), (431, "GET / HTTP/1.1\r\n", "X: y\r\n", 33),
      (413, "GET / HTTP/1.1\r\nContent-Length: 2000000\r\n\r\n", "a", 2_000_000),
      (413, "GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1E8480\r\n", "a", 2_000_000),
      (405, "POST / HTTP/1.1\r\nContent-Length: 2000000\r\n\r\n", "a", 2_000_000),
      (405, "GET /api/played HTTP/1.1\r\n\r\n", "", 0),
      (413, "POST /api/played HTTP/1.1\r\nContent-Length: 4194305\r\n\r\n", "a", 4_194_305),
      (413, "POST /api/played HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n", "a", 9),
      (400, "POST /api/played HTTP/1.1\r\nContent-Length: -1\r\n\r\n", "a", 9),
      (
        403,
        "POST /api/played HTTP/1.1\r\nOrigin: http://evil.example\r\nContent-Length: 9\r\n\r\n",
        "a", 9
      ),
      (403, "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n", "", 0),
      (400, "aaaa", "a", 2_000_000), (400, "\u{16}\u{3}\u{1}", "", 0),
      (400, "GET http://evil.example/ HTTP/1.1\r\n\r\n", "", 0),
      (400, "GET / HTTP/1.1\r\nno header\r\n\r\n", "", 0),
    ])
  func limits(status: Int, start: String, filler: String, count: Int) throws {
    try withServer { server in
      let client = try SocketClient(port: server.port)
      client.send(start + String(repeating: filler, count: count))
      let answer = try client.answer()
      #expect(answer.status == status)
      #expect(answer.headers["Connection"] == "close")
      #expect(!answer.error.isEmpty)
      client.waitForEnd()
    }
  }

  @Test("requests at the limits are answered")
  func largest() throws {
    try withServer { server in
      let client = try SocketClient(port: server.port)
      let limits = HTTPLimits()
      let target =
        "/?" + String(repeating: "a", count: limits.requestLine - "GET /? HTTP/1.1".count)
      let header = "X: " + String(repeating: "y", count: limits.header - 3) + "\r\n"
      client.send("GET \(target) HTTP/1.1\r\n")
      for _ in 0..<limits.headers { client.send(header) }
      client.send("\r\n")
      #expect(try client.answer().status == 200)
    }
  }

  @Test("a body at the limit is read, and a few at a time are kept")
  func bodies() throws {
    try withServer {
      $0.bodies = 1
    } _: { server in
      let first = try SocketClient(port: server.port)
      let game = "1120000000000000\n2200100000000000\n"
      let text = game + String(repeating: "\n", count: 4_194_304 - game.utf8.count)
      first.send("POST /api/played HTTP/1.1\r\nContent-Length: \(text.utf8.count)\r\n\r\n1")
      let second = try SocketClient(port: server.port)
      #expect(!first.isAnswered(within: 50))
      second.send("POST /api/played HTTP/1.1\r\nContent-Length: 9\r\n\r\n")
      #expect(try second.answer().status == 503)
      second.waitForEnd()
      first.send(String(text.dropFirst()) + "GET / HTTP/1.1\r\n\r\n")
      let answer = try first.answer()
      #expect(answer.status == 200 && answer.json["scores"] as? [Int] == [0, 4])
      #expect(answer.headers["Connection"] == "close")
      first.waitForEnd()
      // A text is not a request.
      let third = try SocketClient(port: server.port)
      third.send("POST /api/played HTTP/1.1\r\nContent-Length: 18\r\n\r\nGET / HTTP/1.1\r\n\r\n")
      #expect(try third.answer().status == 422)
    }
  }

  @Test("a long line that arrives in pieces is rejected as soon as it is too long")
  func trickledLine() throws {
    try withServer { server in
      let client = try SocketClient(port: server.port)
      client.send("GET /")
      for _ in 0..<41 { client.send(String(repeating: "a", count: 100)) }
      #expect(try client.answer().status == 414)
    }
  }

  // Promise: The page is for those who may see it
  @Test("lines of clients that have gone leave the server alive")
  func goneClients() throws {
    try withServer { server in
      for _ in 0..<2 {
        let client = try SocketClient(port: server.port)
        client.send("GET /" + String(repeating: "a", count: 2_000_000))
        client.disconnect()
      }
    }
  }

  // Promise: The page is for those who may see it
  @Test("clients beyond the limit wait until a connection closes")
  func tooManyConnections() throws {
    try withServer {
      $0.connections = 2
    } _: { server in
      let clients = try (0..<2).map { _ in try SocketClient(port: server.port) }
      for client in clients {
        client.get("/api/game")
        #expect(try client.answer().status == 200)
      }
      let third = try SocketClient(port: server.port)
      third.get("/api/game")
      #expect(!third.isAnswered(within: 100))
      clients[0].disconnect()
      #expect(try third.answer().status == 200)
      third.disconnect()
    }
  }

  /// Asks for a search of five seconds, and goes after some milliseconds.
  private func abandonSearch(on server: WebServer, after milliseconds: Int32) throws {
    let client = try SocketClient(port: server.port)
    client.get("/api/analyze?board=1120000000000000&player=learned:time=5000")
    #expect(!client.isAnswered(within: milliseconds))
    client.disconnect()
  }

  /// Asks for a quick search, and returns the client.
  private func search(on server: WebServer) throws -> SocketClient {
    let client = try SocketClient(port: server.port)
    client.get("/api/analyze?board=1120000000000000&player=learned:depth=1")
    return client
  }

  // Promise: The page is for those who may see it
  @Test("searches of clients that have gone do not start")
  func goneSearches() throws {
    try withServer { server, searches in
      searches.suspend()
      let first = try search(on: server)
      // Together they would search for longer than a client waits.
      for _ in 0..<10 { try abandonSearch(on: server, after: 1) }
      searches.resume()
      #expect(try first.answer().status == 200)
      #expect(try search(on: server).answer().status == 200)
    }
  }

  // Promise: The page is for those who may see it
  @Test("a search ends when its client goes")
  func goneSearch() throws {
    try withServer { server in
      // Together they would search for longer than a client waits. Each has time to start.
      for _ in 0..<5 { try abandonSearch(on: server, after: 50) }
      #expect(try search(on: server).answer().status == 200)
    }
  }

  @Test("games and runs are answered during a search")
  func quickRequests() throws {
    try withServer { server, searches in
      searches.suspend()
      let slow = try search(on: server)
      let quick = try SocketClient(port: server.port)
      for path in ["/api/game", "/api/runs", "/"] {
        quick.get(path)
        #expect(try quick.answer().status == 200)
      }
      #expect(!slow.isAnswered(within: 0))
      searches.resume()
      #expect(try slow.answer().status == 200)
    }
  }

  @Test("HEAD is answered without a body, on a connection that stays open")
  func head() throws {
    try withServer { server in
      let client = try SocketClient(port: server.port)
      for method in ["HEAD", "GET", "HEAD", "GET"] {
        client.get("/api/server", method: method)
        let answer = try client.answer(hasBody: method == "GET")
        #expect(answer.status == 200)
        #expect(answer.headers["Connection"] == "keep-alive")
        #expect(answer.body.isEmpty == (method == "HEAD"))
      }
    }
  }

  @Test("requests that arrive together are answered in order, up to a limit")
  func pipelining() throws {
    try withServer {
      $0.waitingRequests = 3
    } _: { server in
      let client = try SocketClient(port: server.port)
      let requests = (0..<3).map { "GET /api/game?seed=\($0) HTTP/1.1\r\n\r\n" }.joined()
      client.send(requests)
      for seed in 0..<3 { #expect(try client.answer().json["seed"] as? String == "\(seed)") }
      // A search keeps those behind it waiting.
      client.send(
        "GET /api/analyze?board=1120000000000000&player=learned:time=100 HTTP/1.1\r\n\r\n"
          + requests + requests)
      #expect(try client.answer().json["best"] != nil)
      for seed in 0..<3 {
        let answer = try client.answer()
        #expect(answer.json["seed"] as? String == "\(seed)")
        #expect(answer.headers["Connection"] == (seed < 2 ? "keep-alive" : "close"))
      }
      client.waitForEnd()
    }
  }

  @Test(
    "a connection closes after the answer if the client asks for it, or for another protocol",
    arguments: ["Connection: close", "Connection: Upgrade\r\nUpgrade: h2c"])
  func closing(header: String) throws {
    try withServer { server in
      let client = try SocketClient(port: server.port)
      client.send("GET /api/game HTTP/1.1\r\n\(header)\r\n\r\n\r\n\r\n")
      let answer = try client.answer()
      #expect(answer.status == 200 && answer.headers["Connection"] == "close")
      client.waitForEnd()
    }
  }

  @Test("many clients, some of them slow, are all answered")
  func load() throws {
    try withServer { server in
      let slow = try (0..<20).map { _ in try SocketClient(port: server.port) }
      for client in slow { client.send("GET / HTTP/1.1\r\nX: ") }
      let clients = try (0..<20).map { _ in try SocketClient(port: server.port) }
      for _ in 0..<5 {
        for client in clients {
          client.get("/api/analyze?board=1120000000000000&player=greedy&seed=1")
        }
        for client in clients { #expect(try client.answer().status == 200) }
      }
      for client in slow {
        client.send("y\r\n\r\n")
        #expect(try client.answer().status == 200)
      }
    }
  }
}
