import Checkpoints
import Foundation
import Game2048
import NIOCore
import NIOHTTP1
import NTupleNetwork

/// The answers to the requests of the web page and of other programs; see ``Endpoint``.
///
/// It keeps no state between requests: clients keep their games, and every search starts with an empty
/// transposition table.
///
/// Thread safety: immutable. Searches run one at a time on one thread, runs and recorded games are read on another,
/// and a third answers the other requests, which are quick and never wait for those.
package struct WebInterface: Sendable {
  /// The model and the runs to serve.
  package struct Content: Sendable {
    /// The name of the model for people.
    package var modelName: String
    /// The network of players that name no model.
    package var network: NTupleNetwork
    package var rules: Rules
    /// The recorded games to review, if there are any.
    package var games: RecordedGames?
    /// Returns the current runs.
    package var runs: @Sendable () -> [RunDirectory]

    package init(
      modelName: String, network: NTupleNetwork, rules: Rules, games: RecordedGames? = nil,
      runs: @escaping @Sendable () -> [RunDirectory]
    ) {
      self.modelName = modelName
      self.network = network
      self.rules = rules
      self.games = games
      self.runs = runs
    }
  }

  let content: Content
  let limits: HTTPLimits
  /// The token that clients must have; nil if only this machine reaches the server.
  package let token: AccessToken?
  /// The sites whose pages may ask for moves.
  let origins: Set<AllowedOrigin>
  private let isSynchronous: Bool
  private let games = DispatchQueue(label: "learn2048.games")
  private let runs = DispatchQueue(label: "learn2048.runs")
  private let searches = DispatchQueue(label: "learn2048.searches")

  /// - Parameters:
  ///   - content: the model and the runs to serve.
  ///   - token: the token that clients must have; nil if only this machine reaches the server.
  ///   - origins: the sites whose pages may ask for moves.
  ///   - limits: the limits on clients.
  ///   - isSynchronous: whether answers are computed on the thread that asks for them, for tests.
  package init(
    _ content: Content, token: AccessToken? = nil, origins: Set<AllowedOrigin> = [],
    limits: HTTPLimits = HTTPLimits(), isSynchronous: Bool = false
  ) {
    self.content = content
    self.token = token
    self.origins = origins
    self.limits = limits
    self.isSynchronous = isSynchronous
  }

  /// Adds everything between the bytes of a connection and this interface.
  package func addHandlers(to pipeline: ChannelPipeline.SynchronousOperations) throws {
    let gate = RequestGate(limits)
    try pipeline.addHandlers(
      gate, HTTPResponseEncoder(), ByteToMessageHandler(HTTPRequestDecoder()),
      Connection(self, behind: gate))
  }

  /// Computes an answer on the thread for its endpoint.
  func perform(_ work: DispatchWorkItem, of endpoint: Endpoint) {
    if isSynchronous { return work.perform() }
    switch endpoint {
    case .page, .pageFile, .server, .game, .move, .interfaceDescription: games.async(execute: work)
    case .analyze, .bestMove: searches.async(execute: work)
    case .runs, .reports, .configuration, .recordedGames, .recordedGame: runs.async(execute: work)
    }
  }

  /// Returns the answer to a request, which the page of an allowed site may read.
  func response(to request: Request) -> Response {
    var response = answer(to: request)
    if let origin = request.origin {
      response.headers.add(name: "Access-Control-Allow-Origin", value: origin.text)
      response.headers.add(name: "Vary", value: "Origin")
    }
    return response
  }

  private func answer(to request: Request) -> Response {
    let query = request.query
    do {
      return switch request.endpoint {
      case .page: page(for: request)
      case .pageFile: try pageFile(request.name).response
      case .server: try .json(serverDocument)
      case .game: try .json(newGame(query))
      case .move: try .json(move(query))
      case .analyze: try .json(analysis(query))
      case .bestMove: try .text(bestMove(query))
      case .runs: try .json(runList)
      case .reports: try .json(reports(of: request.name, query))
      case .interfaceDescription: try .json(Endpoint.openAPI)
      case .configuration: try .json(configuration(of: request.name))
      case .recordedGames: try .json(recordedGames(query))
      case .recordedGame: try .json(recordedGame(request.name, query))
      }
    } catch let error as RequestError {
      return .error(error)
    } catch {
      return .error(RequestError(.internalServerError, "\(error)"))
    }
  }

  /// Returns the page, with the token as a cookie if the request has it in its query.
  private func page(for request: Request) -> Response {
    var response = PageFile.page.response
    if let token, request.bringsToken {
      response.headers.add(name: "Set-Cookie", value: token.cookie)
    }
    return response
  }

  private func pageFile(_ name: String) throws(RequestError) -> PageFile {
    guard let file = PageFile(rawValue: name) else {
      throw RequestError(
        .notFound, "no file '\(name)' of the page. Docs/Reference/HTTP.md lists the files.")
    }
    return file
  }
}
