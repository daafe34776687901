import Basics
import Foundation
import Game2048
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Play
import Training

/// The answers to the requests of the web page and of other programs; see ``Endpoint``.
///
/// It keeps no state between requests: clients keep their games, and every search starts with an empty
/// transposition table.
///
/// Thread safety: immutable. Searches run one at a time on one thread, runs and recorded games are read on another,
/// and a third answers the other requests, which are quick and never wait for those.
package struct WebInterface: Sendable {
  /// The name of the model for people.
  let modelName: String
  /// Makes the players of requests, which name no model.
  let players: PlayerFactory
  let rules: Rules
  /// The recorded games to review, with the path of their file for messages.
  let games: (file: GameRecordFile, path: String)?
  /// The directory of the endgame tables that players may use.
  let endgame: String?
  /// Returns the current runs.
  let runs: @Sendable () -> [RunDirectory]
  let limits: HTTPLimits
  /// The connections whose bodies are kept.
  let bodies = BodyCount()
  /// The token that clients must have; nil if only this machine reaches the server.
  package let token: AccessToken?
  /// The sites whose pages may ask for moves.
  let origins: Set<AllowedOrigin>
  private let isSynchronous: Bool
  let searchQueue = DispatchQueue(label: "learn2048.searches")
  let readingQueue = DispatchQueue(label: "learn2048.runs")
  let quickQueue = DispatchQueue(label: "learn2048.games")

  /// - Parameter isSynchronous: whether answers are computed on the thread that asks for them, for tests.
  package init(
    modelName: String, players: PlayerFactory,
    games: (file: GameRecordFile, path: String)? = nil, endgame: String? = nil,
    runs: @escaping @Sendable () -> [RunDirectory], token: AccessToken? = nil,
    origins: Set<AllowedOrigin> = [], limits: HTTPLimits = HTTPLimits(), isSynchronous: Bool = false
  ) {
    self.modelName = modelName
    self.players = players
    rules = players.rules ?? .standard
    self.games = games
    self.endgame = endgame
    self.runs = runs
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
    self[keyPath: endpoint.queue].async(execute: work)
  }

  /// Returns the answer to a request.
  func response(to request: Request) -> Response {
    do {
      return try request.endpoint.respond(self, request)
    } catch {
      let known = error as? RequestError
      return .error(known ?? RequestError(.internalServerError, "\(error)"))
    }
  }

  /// Returns the page, with the token as a cookie if the request has it in its query.
  func page(for request: Request) -> Response {
    var response = PageFile.page.response
    if let cookie = request.cookie { response.headers.add(name: "Set-Cookie", value: cookie) }
    return response
  }

  func pageFile(_ name: String) throws(RequestError) -> PageFile {
    guard let file = PageFile.all.first(where: { $0.name == name }) else {
      throw RequestError(
        .notFound, "no file '\(name)' of the page. Docs/Reference/HTTP.md lists the files.")
    }
    return file
  }
}

extension WebInterface {
  /// Passes bytes through the handlers of a connection, and returns all that the server sends.
  ///
  /// No socket and no other thread takes part. The bytes need not be requests, so a fuzzer can call it.
  ///
  /// - Parameter chunks: The bytes, as they arrive.
  /// - Precondition: The interface is synchronous.
  package func replies(to chunks: [[UInt8]]) throws -> [UInt8] {
    let channel = try EmbeddedChannel(to: self)
    for chunk in chunks where channel.isActive { try channel.receive(ByteBuffer(bytes: chunk)) }
    _ = try channel.finish(acceptAlreadyClosed: true)
    return try channel.takeReplies()
  }
}

extension EmbeddedChannel {
  /// Creates a connection to an interface.
  convenience init(to interface: WebInterface) throws {
    self.init()
    try interface.addHandlers(to: pipeline.syncOperations)
    try connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 2048)).wait()
  }

  /// Passes on bytes that arrive, and does what they cause.
  func receive(_ bytes: ByteBuffer) throws {
    try writeInbound(bytes)
    embeddedEventLoop.run()
  }

  /// Removes and returns what the server has sent.
  func takeReplies() throws -> [UInt8] {
    var replies: [UInt8] = []
    while case .byteBuffer(let buffer)? = try readOutbound(as: IOData.self) {
      replies += buffer.readableBytesView
    }
    return replies
  }
}

extension WebInterface {
  /// Returns the reports of a run, from those after the episodes of the parameter `after` on.
  func reports(of name: String, _ query: Query) throws(RequestError) -> [TrainingReport] {
    let after = try query.optionalNumber("after") ?? -1
    return try run(name).reports(after: after)
  }

  /// Returns the configuration of a run, with every key.
  func configuration(of name: String) throws(RequestError) -> JSONValue {
    let run = try run(name)
    do {
      return try run.configuration().json
    } catch {
      throw RequestError(.unprocessableEntity, "\(error)")
    }
  }

  private func run(_ name: String) throws(RequestError) -> RunDirectory {
    guard let run = runs().first(where: { $0.name == name }) else {
      throw RequestError(.notFound, "no run '\(name)'. /api/runs lists the runs.")
    }
    return run
  }
}
