import Foundation
import NIOHTTP1

/// The reason why a request cannot be answered.
struct RequestError: Error, Equatable {
  let status: HTTPResponseStatus
  let message: String

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
  /// Whether the query has the token of the server, which the browser should keep.
  let bringsToken: Bool

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
      bringsToken = given.contains { token.matches($0.value ?? "") }
      guard bringsToken || token.isCookie(in: head.headers["Cookie"]) else {
        throw RequestError(
          .forbidden,
          "this server requires its token. Open the whole address that learn2048 serve has printed."
        )
      }
      items.removeAll { $0.name == AccessToken.parameter }
    } else {
      bringsToken = false
    }
    guard [.GET, .HEAD].contains(head.method) else {
      throw RequestError(
        .methodNotAllowed, "method \(head.method.rawValue) is not allowed. Use GET.")
    }
    guard !head.headers.contains(name: "Transfer-Encoding"),
      head.headers["Content-Length"].allSatisfy({ $0 == "0" })
    else {
      throw RequestError(
        .payloadTooLarge, "a request has no body. Pass parameters in the query.")
    }
    guard let target else { throw RequestError("'\(head.uri)' is not the path of a request.") }
    guard let (endpoint, name) = Endpoint.find(target.path) else {
      throw RequestError(
        .notFound, "no path \(target.path). Docs/Reference/HTTP.md lists the paths.")
    }
    self.endpoint = endpoint
    self.name = name
    query = try Query(items, allowed: endpoint.parameters?.map(\.name))
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
      let address = ServerAddress(ServerAddress.host(ofHeader: header).lowercased())
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
