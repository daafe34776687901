import Checkpoints
import FlyingFox
import Foundation
import Game2048
import NTupleNetwork

/// The handler of the requests of the web page and of other programs; see ``Endpoint``.
///
/// It keeps no state between requests: clients keep their games, and every search starts with an empty
/// transposition table.
///
/// Thread safety: immutable. Searches run one at a time on a separate queue, so that the threads that answer
/// requests never wait for one.
package struct WebInterface: HTTPHandler {
  /// The model and the runs to serve.
  package struct Content: Sendable {
    /// The name of the model for people.
    package var modelName: String
    /// The network of players that name no model.
    package var network: NTupleNetwork
    package var rules: Rules
    /// Returns the current runs.
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
        throw RequestError(
          .methodNotAllowed, "method \(request.method.rawValue) is not allowed. Use GET.")
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
    guard let (endpoint, name) = Endpoint.find(request.path) else {
      throw RequestError(
        .notFound, "no path \(request.path). Docs/Reference/HTTP.md lists the paths.")
    }
    guard let parameters = endpoint.parameters else { return .page }
    let query = try Query(request, allowed: parameters.map(\.name))
    return switch endpoint {
    case .page: .page
    case .server: try .json(serverDocument)
    case .game: try .json(newGame(query))
    case .move: try .json(move(query))
    case .analyze: try .json(try await onSearchQueue { try analysis(query) })
    case .runs: try .json(runList)
    case .reports: try .json(reports(of: name, query))
    }
  }

  /// Throws for requests that another site makes in somebody's browser.
  ///
  /// Such a site could make this machine search, and read about its runs under a host name that resolves to
  /// this machine. Following a link to the page does no harm.
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
        .forbidden, "this server answers only its own page and programs on this machine.")
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

/// The answer to a request that cannot be answered.
private struct ErrorDocument: Encodable {
  let error: String
}

extension HTTPResponse {
  /// Returns a response with a JSON document.
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

  /// The same response without its body, for `HEAD`.
  var head: HTTPResponse {
    get async throws {
      var head = HTTPResponse(statusCode: statusCode, headers: headers)
      head.headers[.contentLength] = String(try await bodyData.count)
      return head
    }
  }

  /// The page, which loads nothing from other servers.
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
