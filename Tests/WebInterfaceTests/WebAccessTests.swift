import TestSupport
import Testing

@testable import WebInterface

@Suite("Who may ask the web interface")
struct WebAccessTests {
  // Promise: The page is for those who may see it
  @Test("other sites are refused, and so is everything but GET and HEAD")
  func strangers() throws {
    let interface = WebInterface.forTests()
    #expect(try interface.get("/", headers: ["Host": "127.0.0.1:2048"]).status == 200)
    #expect(try interface.get("/", headers: ["Host": "localhost"]).status == 200)
    #expect(try interface.get("/", headers: ["Host": "[::1]:2048"]).status == 200)
    #expect(try interface.get("/", headers: ["Host": "evil.example:2048"]).status == 403)
    #expect(try interface.get("/", headers: ["Host": "127.0.0.1.evil.example"]).status == 403)
    #expect(try interface.get("/", headers: ["Host": "192.168.1.5:2048"]).status == 403)
    for host in [
      "[::1]x", "[::1]:x", "[::1]2048", "localhost:x", "localhost:+1", "localhost:2048x", "[::1",
    ] {
      #expect(try interface.get("/", headers: ["Host": host]).status == 403, "\(host)")
    }
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

  // Promise: The page is for those who may see it
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
    #expect(game.json["seed"] as? String == "7" && game.headers["Set-Cookie"] == nil)
    #expect(
      try interface.get("/api/game", headers: ["Cookie": "a=b; token=\(token.text)"]).status == 200)
    #expect(try interface.get("/api/nothing", ["token": token.text]).status == 404)
    // A server for this machine has none.
    #expect(try WebInterface.forTests().get("/api/game", ["token": token.text]).status == 400)
  }

  // Promise: The page is for those who may see it
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

  // Promise: The page is for those who may see it
  @Test("servers on other ports of a host keep cookies of their own")
  func cookiesOfPorts() throws {
    let token = AccessToken()
    let interface = WebInterface.forTests(token: token)
    let host = ["Host": "192.168.1.5:2049"]
    let page = try interface.get("/", ["token": token.text], headers: host)
    #expect(page.headers["Set-Cookie"]?.hasPrefix("token-2049=\(token.text); ") == true)
    func status(_ cookie: String) throws -> Int {
      try interface.get("/api/game", headers: host.merging(["Cookie": cookie]) { $1 }).status
    }
    #expect(try status("token-2048=other; token-2049=\(token.text)") == 200)
    #expect(try status("token-2048=\(token.text)") == 403)
  }

  // Promise: The page is for those who may see it
  @Test("with a token, other sites and host names are refused all the same")
  func strangersWithToken() throws {
    let token = AccessToken()
    let interface = WebInterface.forTests(token: token)
    func status(_ headers: [String: String]) throws -> Int {
      let name = AccessToken.cookieName(host: headers["Host"].map { [$0] } ?? [])
      let cookie = ["Cookie": "\(name)=\(token.text)"]
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

  // Promise: The page is for those who may see it
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
    "an invalid origin is rejected",
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

  @Test("an invalid address is rejected", arguments: ["", "host", "1.2.3", "1.2.3.4:5", "[::1]"])
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
}
