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

  /// Reads a request from its head.
  ///
  /// - Throws: `RequestError` if it comes from another site, or if there is no such request.
  init(_ head: HTTPRequestHead) throws(RequestError) {
    try Request.refuseStrangers(head)
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
    guard head.uri.hasPrefix("/"),
      let target = URLComponents(string: "http://localhost\(head.uri)")
    else { throw RequestError("'\(head.uri)' is not the path of a request.") }
    guard let (endpoint, name) = Endpoint.find(target.path) else {
      throw RequestError(
        .notFound, "no path \(target.path). Docs/Reference/HTTP.md lists the paths.")
    }
    self.endpoint = endpoint
    self.name = name
    query = try Query(target.queryItems ?? [], allowed: endpoint.parameters?.map(\.name))
  }

  /// Throws for requests that another site makes in somebody's browser.
  ///
  /// Such a site could make this machine search, and read about its runs under a host name that resolves to
  /// this machine. Following a link to the page does no harm.
  private static func refuseStrangers(_ head: HTTPRequestHead) throws(RequestError) {
    let isOwnName = head.headers["Host"].allSatisfy { host in
      let name = host.lastIndex(of: ":").map { host[..<$0] } ?? host[...]
      return ["localhost", "127.0.0.1"].contains(name.lowercased())
    }
    let isOwnSite = head.headers["Sec-Fetch-Site"].allSatisfy {
      ["none", "same-origin"].contains($0)
    }
    let opensPage =
      head.uri.prefix { $0 != "?" } == "/" && head.headers["Sec-Fetch-Mode"] == ["navigate"]
    guard isOwnName, isOwnSite || opensPage else {
      throw RequestError(
        .forbidden, "this server answers only its own page and programs on this machine.")
    }
  }
}
