import Basics
import Foundation
import Game2048
import NIOHTTP1

/// The reason why a request cannot be answered.
struct RequestError: Error, Equatable {
  let status: HTTPResponseStatus
  let message: String
  /// The methods that are allowed instead.
  var allowed = "GET, HEAD"

  init(_ status: HTTPResponseStatus, _ message: String) {
    self.status = status
    self.message = message
  }

  /// Creates the error for an invalid request.
  init(_ message: String) {
    self.init(.badRequest, message)
  }
}

/// A request that the server may answer.
struct Request: Sendable {
  let endpoint: Endpoint
  /// The text in place of `NAME` or `N` in the path.
  let name: String
  let query: Query
  /// The cookie that the browser should keep, if the query has the token of the server; otherwise nil.
  let cookie: String?
  /// The length of the body that follows the head.
  let bodyLength: Int
  /// The body as far as it has arrived.
  var body = Data()

  /// Reads a request from its head: the request line and the headers.
  ///
  /// - Parameter origin: The other site that asks for a move, if it may.
  /// - Throws: `RequestError` if it comes from another site or has no token, or if there is no such request.
  init(
    _ head: HTTPRequestHead, from origin: AllowedOrigin?, to interface: WebInterface
  ) throws(RequestError) {
    let token = interface.token
    try Request.refuseStrangers(head, isForThisMachine: token == nil, asksForMove: origin != nil)
    let target =
      head.uri.hasPrefix("/") ? URLComponents(string: "http://localhost\(head.uri)") : nil
    var items = target?.queryItems ?? []
    if let token {
      let given = items.filter { $0.name == AccessToken.parameter }
      let name = AccessToken.cookieName(host: head.headers["Host"])
      cookie = given.contains { token.matches($0.value ?? "") } ? token.cookie(name) : nil
      guard cookie != nil || token.isCookie(name, in: head.headers["Cookie"]) else {
        throw RequestError(
          .forbidden,
          "this server requires its token. Open the whole address that learn2048 serve has printed."
        )
      }
      items.removeAll { $0.name == AccessToken.parameter }
    } else {
      cookie = nil
    }
    let found = target.flatMap { Endpoint.find($0.path) }
    let takesBody = found?.endpoint.body != nil
    guard (takesBody ? [.POST] : [.GET, .HEAD]).contains(head.method) else {
      let allowed = takesBody ? "POST" : "GET"
      var error = RequestError(
        .methodNotAllowed, "method \(head.method.rawValue) is not allowed. Use \(allowed).")
      if takesBody { error.allowed = allowed }
      throw error
    }
    bodyLength = try Request.bodyLength(head, isAllowed: takesBody)
    guard let target else { throw RequestError("'\(head.uri)' is not the path of a request.") }
    guard let (endpoint, name) = found else {
      throw RequestError(
        .notFound, "no path \(target.path). Docs/Reference/HTTP.md lists the paths.")
    }
    self.endpoint = endpoint
    self.name = name
    query = try Query(items, allowed: endpoint.parameters?.map(\.name))
  }

  /// Returns the length of the body that a head announces.
  private static func bodyLength(
    _ head: HTTPRequestHead, isAllowed: Bool
  ) throws(RequestError) -> Int {
    let lengths = head.headers["Content-Length"].map(Int.init)
    let most = isAllowed ? InputLimit.boards.most : 0
    guard !head.headers.contains(name: "Transfer-Encoding"),
      lengths.allSatisfy({ $0.map { (0...most).contains($0) } ?? false }), lengths.count < 2
    else {
      throw RequestError(
        .payloadTooLarge,
        isAllowed
          ? "a body has a Content-Length of up to \(InputLimit.boards.words)."
          : "a request has no body. Pass parameters in the query.")
    }
    return lengths.first.flatMap(\.self) ?? 0
  }

  /// Returns the other site that asks for a move, if it may.
  static func allowedOrigin(
    of head: HTTPRequestHead, _ allowed: Set<AllowedOrigin>
  ) -> AllowedOrigin? {
    let origins = head.headers["Origin"]
    guard origins.count == 1, let origin = AllowedOrigin(origins[0]), allowed.contains(origin),
      head.uri.prefix(while: { $0 != "?" }) == Endpoint.bestMove.path
    else { return nil }
    return origin
  }

  /// Throws for requests that another site makes in somebody's browser.
  ///
  /// Such a site could make this machine search, and read about its runs under a host name that resolves to
  /// this machine. No name resolves to another one for `localhost` and IP addresses. Following a link to the page does
  /// no harm.
  private static func refuseStrangers(
    _ head: HTTPRequestHead, isForThisMachine: Bool, asksForMove: Bool
  ) throws(RequestError) {
    let isOwnName = head.headers["Host"].allSatisfy { header in
      let address = ServerAddress.split(header).flatMap { ServerAddress($0.host.lowercased()) }
      return address.map { $0.isLoopback || !isForThisMachine } ?? false
    }
    let isOwnSite =
      head.headers["Sec-Fetch-Site"].allSatisfy { ["none", "same-origin"].contains($0) }
      && head.headers["Origin"].allSatisfy { origin in
        head.headers["Host"].contains { origin == "http://\($0)" }
      }
    let opensPage =
      head.uri.prefix { $0 != "?" } == "/" && head.headers["Sec-Fetch-Mode"] == ["navigate"]
    guard isOwnName, isOwnSite || opensPage || asksForMove else {
      throw RequestError(
        .forbidden,
        "this server answers only its own page and programs, under an IP address or 'localhost'.")
    }
  }
}

/// The parameters of a request.
struct Query {
  private var values: [String: String] = [:]

  /// Reads the parameters.
  ///
  /// - Parameter allowed: the names of the parameters; nil if they are ignored.
  /// - Throws: `RequestError` for a parameter that is not allowed, or given twice.
  init(_ items: [URLQueryItem], allowed: [String]?) throws(RequestError) {
    guard let allowed else { return }
    for item in items {
      guard allowed.contains(item.name) else {
        throw RequestError(
          "unknown parameter '\(item.name)'."
            + (allowed.isEmpty
              ? " This request has no parameters."
              : " Parameters: \(allowed.joined(separator: ", "))."))
      }
      guard values.updateValue(item.value ?? "", forKey: item.name) == nil else {
        throw RequestError("\(item.name) is given twice. Give it once.")
      }
    }
  }

  /// Returns the value of a parameter; nil if it is missing.
  func optionalText(_ name: String) -> String? { values[name] }

  /// Returns the value of a parameter.
  ///
  /// - Throws: `RequestError` if it is missing.
  func text(_ name: String) throws(RequestError) -> String {
    guard let value = values[name] else { throw RequestError("\(name) is missing.") }
    return value
  }

  /// The whole numbers that are allowed, up to the largest exact one of JavaScript.
  static let numbers = 0..<(1 << 53)

  /// Returns the parameter `seed`; nil if it is missing.
  func optionalSeed() throws(RequestError) -> UInt64? {
    guard let text = values["seed"] else { return nil }
    // `UInt64` would accept a sign.
    guard text.first?.isNumber == true, let seed = UInt64(text) else {
      throw RequestError(
        "seed=\(text) is not allowed. Use a whole number from 0 to \(UInt64.max).")
    }
    return seed
  }

  /// Returns the parameter `seed`.
  ///
  /// - Throws: `RequestError` if it is missing or not a seed.
  func seed() throws(RequestError) -> UInt64 {
    guard let seed = try optionalSeed() else { throw RequestError("seed is missing.") }
    return seed
  }

  /// Returns a whole number in ``numbers``; nil if it is missing.
  func optionalNumber(_ name: String) throws(RequestError) -> Int? {
    guard let text = values[name] else { return nil }
    let range = Query.numbers
    // `Int` would accept a sign.
    guard text.first != "+", text.first != "-", let number = Int(text), range.contains(number)
    else {
      throw RequestError(
        "\(name)=\(text) is not allowed. Use a whole number from 0 to \(range.upperBound - 1).")
    }
    return number
  }

  /// Returns a whole number.
  ///
  /// - Throws: `RequestError` if it is missing or not a whole number.
  func number(_ name: String) throws(RequestError) -> Int {
    guard let number = try optionalNumber(name) else { throw RequestError("\(name) is missing.") }
    return number
  }

  /// Returns whether a parameter is 1 and not 0, or missing.
  func isSet(_ name: String) throws(RequestError) -> Bool {
    switch values[name] {
    case nil, "0": return false
    case "1": return true
    case let text?: throw RequestError("\(name)=\(text) is not allowed. Use 0 or 1.")
    }
  }

  /// Returns the parameter `direction`.
  func direction() throws(RequestError) -> Direction {
    let text = try text("direction")
    guard let direction = Direction.allCases.first(where: { "\($0)" == text }) else {
      throw RequestError("direction=\(text) is not allowed. Use up, down, left or right.")
    }
    return direction
  }

  /// Returns the parameter `board`.
  func board(_ rules: Rules) throws(RequestError) -> Board {
    // Forms write a space as +, and no board has one.
    let text = try text("board").replacing("+", with: " ")
    let areExponents = try isSet("exponents")
    let board: Board
    do {
      board = try Board(text: text, size: rules.size, asExponents: areExponents)
    } catch {
      throw RequestError(sentence("\(error)"))
    }
    guard rules.haveRoom(for: board) else {
      throw RequestError(
        "a tile lies outside the \(rules.size)x\(rules.size) board of the model.")
    }
    return board
  }
}
