import Checkpoints
import FlyingFox
import Foundation
import Game2048
import NTupleNetwork

/// Answers the requests of the web page, and of programs that ask what it asks; `Docs/Web.md` lists them.
///
/// It keeps nothing between requests: games are kept by whoever plays them, and a search begins with
/// nothing remembered.
///
/// Thread safety: immutable. Searches take turns on a queue of their own, so that the threads that
/// answer requests never wait for one.
package struct WebInterface: HTTPHandler {
  /// What is shown, and with which model.
  package struct Content: Sendable {
    /// What people call the model.
    package var modelName: String
    /// The network of players that name no model.
    package var network: NTupleNetwork
    package var rules: Rules
    /// The runs that are there now.
    package var runs: @Sendable () -> [RunDirectory]

    package init(
      modelName: String, network: NTupleNetwork, rules: Rules,
      runs: @escaping @Sendable () -> [RunDirectory]
    ) {
      self.modelName = modelName
      self.network = network
      self.rules = rules
      self.runs = runs
    }
  }

  let content: Content
  private let searches = DispatchQueue(label: "learn2048.searches")

  package init(_ content: Content) {
    self.content = content
  }

  package func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
    let response = try await response(to: request)
    return request.method == .HEAD ? try await response.head : response
  }

  private func response(to request: HTTPRequest) async throws -> HTTPResponse {
    do {
      try WebInterface.refuseStrangers(request)
      guard [.GET, .HEAD].contains(request.method) else {
        throw RequestError(.methodNotAllowed, "\(request.method.rawValue) is not taken; use GET")
      }
      return try await answer(request)
    } catch let error as RequestError {
      var response = try HTTPResponse.json(ErrorDocument(error: error.message), error.status)
      if error.status == .methodNotAllowed { response.headers[HTTPHeader("Allow")] = "GET, HEAD" }
      return response
    } catch {
      return try .json(ErrorDocument(error: "\(error)"), .internalServerError)
    }
  }

  private func answer(_ request: HTTPRequest) async throws -> HTTPResponse {
    let path = request.path
    switch path {
    case "/": return .page
    case "/api/server":
      _ = try Query(request, allowed: [])
      return try .json(serverDocument)
    case "/api/game": return try .json(newGame(Query(request, allowed: ["seed"])))
    case "/api/move":
      return try .json(
        move(Query(request, allowed: ["board", "direction", "seed", "moves"])))
    case "/api/analyze":
      let query = try Query(request, allowed: ["board", "player"])
      return try .json(try await onSearchQueue { try analysis(query) })
    case "/api/runs":
      _ = try Query(request, allowed: [])
      return try .json(runList)
    case _ where path.hasPrefix("/api/runs/"):
      let name = String(path.dropFirst("/api/runs/".count))
      return try .json(reports(of: name, Query(request, allowed: ["after"])))
    default:
      throw RequestError(.notFound, "there is no \(path); Docs/Web.md lists what there is")
    }
  }

  /// Refuses requests that another site makes in somebody's browser.
  ///
  /// Such a site could have this machine search for it, and, under a name that it has made to mean this
  /// machine, read of its runs. To follow a link to the page is no harm.
  private static func refuseStrangers(_ request: HTTPRequest) throws(RequestError) {
    let host = request.headers[.host].map { host in
      host.lastIndex(of: ":").map { String(host[..<$0]) } ?? host
    }
    let isForeignName = host.map { !["localhost", "127.0.0.1"].contains($0.lowercased()) } ?? false
    let site = request.headers[HTTPHeader("Sec-Fetch-Site")] ?? "none"
    let opensPage =
      request.path == "/" && request.headers[HTTPHeader("Sec-Fetch-Mode")] == "navigate"
    if isForeignName || !opensPage && !["none", "same-origin"].contains(site) {
      throw RequestError(
        .forbidden, "this server answers its own page and programs on this machine")
    }
  }

  private func onSearchQueue<Answer: Sendable>(
    _ work: @escaping @Sendable () throws -> Answer
  ) async throws -> Answer {
    try await withCheckedThrowingContinuation { continuation in
      searches.async { continuation.resume(with: Result(catching: work)) }
    }
  }
}

/// What there is to say where a request has no answer.
private struct ErrorDocument: Encodable {
  let error: String
}

extension HTTPResponse {
  static func json(
    _ document: some Encodable, _ status: HTTPStatusCode = .ok
  ) throws -> HTTPResponse {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return HTTPResponse(
      statusCode: status,
      headers: [.contentType: "application/json", .cacheControl: "no-store"],
      body: try encoder.encode(document))
  }

  /// The response to a request for its headers alone.
  var head: HTTPResponse {
    get async throws {
      var head = HTTPResponse(statusCode: statusCode, headers: headers)
      head.headers[.contentLength] = String(try await bodyData.count)
      return head
    }
  }

  /// The page, which loads nothing but what this server answers.
  static var page: HTTPResponse {
    HTTPResponse(
      statusCode: .ok,
      headers: [
        .contentType: "text/html; charset=utf-8", .cacheControl: "no-cache",
        HTTPHeader("Content-Security-Policy"):
          "default-src 'none'; connect-src 'self'; style-src 'unsafe-inline'; "
          + "script-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'",
      ],
      body: Data(PackageResources.page_html))
  }
}
