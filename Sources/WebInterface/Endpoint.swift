import Basics
import Dispatch

/// A request that the server answers.
///
/// ``allCases`` is the only list of them. The router, the reference page and the OpenAPI description follow from it.
package struct Endpoint: CaseIterable, Equatable, Sendable {
  /// A parameter of the query.
  package struct Parameter: Sendable {
    /// What the values of a parameter are.
    enum Kind: Sendable {
      case board, direction, flag, number, player, seed
    }
    package let name: String
    let kind: Kind
    package let isRequired: Bool
    /// The meaning, as a noun phrase.
    package let meaning: String

    static func required(_ name: String, _ kind: Kind, _ meaning: String) -> Parameter {
      Parameter(name: name, kind: kind, isRequired: true, meaning: meaning)
    }

    static func optional(_ name: String, _ kind: Kind, _ meaning: String) -> Parameter {
      Parameter(name: name, kind: kind, isRequired: false, meaning: meaning)
    }
  }

  /// What an answer consists of.
  struct Content: Sendable {
    var mediaType = "application/json"
    /// The schema of the answer, or of the elements of an array.
    var schema = ValueSchema.string
    /// The name of the schema in the OpenAPI description, if that has it apart.
    var name: String?
    var isList = false
    /// The fields of a document, in Markdown; empty if there are none.
    var table = ""

    /// Any object.
    static let object = Content(schema: ["type": "object"])

    /// A text, whose schema may be stricter than that of any text.
    static func text(_ mediaType: String, _ schema: ValueSchema.Members = [:]) -> Content {
      Content(mediaType: mediaType, schema: ValueSchema.string.merging(schema) { $1 })
    }

    static func document(_ name: String, _ type: any Document.Type) -> Content {
      Content(schema: type.schema, name: name, table: type.placeTable)
    }

    /// An array of documents.
    ///
    /// - Parameter isListed: Whether the reference lists their fields here.
    static func list<Element: Document>(
      of name: String, _ type: Element.Type, isListed: Bool = true
    ) -> Content {
      Content(
        schema: type.schema, name: name, isList: true, table: isListed ? [Element].placeTable : "")
    }
  }

  /// The name in the OpenAPI description.
  let name: String
  /// The path, in which `NAME` and `N` at the end stand for any text.
  package let path: String
  /// The parameters that the query may have; nil if it is ignored.
  package var parameters: [Parameter]? = []
  /// What the body of a request has, in Markdown; nil if requests have no body.
  ///
  /// Requests with a body are `POST`, others `GET` or `HEAD`.
  package var body: String?
  /// The answer, in Markdown.
  package let answer: String
  /// The statuses that the handler can give requests with valid parameters.
  var ownErrors: [(status: Int, meaning: String)] = []
  let content: Content
  /// The schema of the text in place of `NAME` or `N`.
  var variableSchema: ValueSchema.Members = ["type": "string", "minLength": 1]
  /// The queue on which answers are computed.
  let queue: KeyPath<WebInterface, DispatchQueue> & Sendable
  let respond: @Sendable (WebInterface, Request) throws -> Response

  package static func == (a: Endpoint, b: Endpoint) -> Bool { a.path == b.path }

  /// The method of its requests in the reference.
  var method: String { body == nil ? "GET" : "POST" }

  /// Finds the endpoint of a path.
  ///
  /// - Returns: the endpoint and the text in place of `NAME` or `N`, which is empty for the other paths; nil if
  ///   there is none.
  static func find(_ path: String) -> (endpoint: Endpoint, name: String)? {
    for endpoint in allCases {
      guard let start = endpoint.fixedStart else {
        if path == endpoint.path { return (endpoint, "") }
        continue
      }
      if path.hasPrefix(start) { return (endpoint, String(path.dropFirst(start.count))) }
    }
    return nil
  }

  /// The part of the path before `NAME` or `N`; nil if the path has none.
  var fixedStart: String? {
    variable.map { String(path.dropLast($0.count)) }
  }

  /// `NAME` or `N` if the path ends with it.
  var variable: String? {
    ["NAME", "N"].first { path.hasSuffix("/\($0)") }
  }
}

// The reference of the requests, made of the list of endpoints.
extension Endpoint {
  /// The statuses of requests that cannot be answered, besides those of every request.
  package var errors: [(status: Int, meaning: String)] {
    guard let parameters else { return ownErrors }
    let problem =
      if parameters.isEmpty {
        "A parameter is given."
      } else if parameters.contains(where: \.isRequired) {
        "A parameter is unknown, missing or invalid."
      } else {
        "A parameter is unknown or invalid."
      }
    return [(400, problem)] + ownErrors
  }

  /// The statuses that every request can have.
  package static var commonErrors: [(status: Int, meaning: String)] {
    let limits = HTTPLimits()
    return [
      (400, "This is not a request of HTTP/1.1."),
      (
        403,
        "The request comes from another site, by its `Host`, `Origin` or `Sec-Fetch-Site` header, or lacks the token. "
          + "Links to the page are followed, and `/move` answers the sites of `--allow-origin`."
      ),
      (404, "There is no such path."),
      (405, "The method is not allowed."),
      (408, "The request was not complete \(Int(limits.requestSeconds)) s after its first byte."),
      (413, "The request has a body that is too long or not allowed."),
      (414, "The request line has more than \(limits.requestLine) bytes."),
      (
        431,
        "A header has more than \(limits.header) bytes, or the request has more than \(limits.headers) headers."
      ),
      (500, "The server failed."),
    ]
  }

  /// The reference page of all requests, in Markdown.
  package static var referencePage: String {
    let limits = HTTPLimits()
    return """
      # HTTP interface

      Every request that `learn2048 serve` answers. Generated by `learn2048 reference`; do not edit.

      Requests but one are `GET` or `HEAD`, with parameters in the query, and all answers but the files of the page and
      `/move` are JSON. Boards and players are written as on the command line, with spaces as `%20` or, in boards, `+`.
      Cells are numbered from 0 row by row, as on a 4x4 board. For example:

      ```
      curl 'http://127.0.0.1:2048/api/move?board=1120000000000000&direction=left&seed=1&moves=0'
      ```

      ```json
      {"afterstate":"2200000000000000","board":"2200100000000000","isOver":false,"reward":4,
       "slides":[{"from":0,"to":0},{"from":1,"to":0},{"from":2,"to":1}],"spawn":{"cell":4,"exponent":1}}
      ```

      The server keeps no games: a client sends the board, the seed and the number of moves. A game has the
      spawns of `learn2048 evaluate --games 1 --seed SEED`. Searches run one at a time, and each starts with an
      empty transposition table, so that an answer depends only on the request, and on the machine if the
      search has a time limit.

      A player uses the model of the server or no model, and no endgame tables but those of `serve --endgame`.
      It may search up to 4 plies, 5,000 ms or 1e7 nodes, with a table of up to 256 MiB and 16 threads.
      `depth=auto` requires a probability of at least 1e-4. Monte Carlo players may run up to 1,000 simulations.

      \(markdownTable(["request", "answer"], allCases.map { ["[`\($0.path)`](#\($0.method.lowercased())-\($0.anchor))", $0.answer] }))

      ## Who is answered

      By default the server listens on 127.0.0.1, and answers programs and browsers of this machine. Requests that
      another site's page makes are rejected, by their `Sec-Fetch-Site` and `Origin` headers. So are requests under any
      host name but `localhost` and loopback addresses, because a site can let its own name resolve to 127.0.0.1.

      `serve --allow-origin ORIGIN` lets pages of another site ask for moves with [`/move`](#get-move), and for nothing
      else. By default none may, because any page could then keep this machine searching. The answer names the origin, as
      the page sends it, in `Access-Control-Allow-Origin`. Programs need no permission.

      With `serve --host ADDRESS` and an address that other machines reach, every request requires the random token in
      the address that `serve` prints: as the parameter `token`, or as the cookie `token-PORT`, which is set when a
      browser opens the page with the parameter. The cookie lasts 30 days, and the token until the server ends. Requests
      without it, from another site, or under a host name other than `localhost` and IP addresses get status 403. The
      connection is not encrypted.

      ## Errors

      A request that cannot be answered gets an object with `error`, a message, and a status. Every request
      can have these:

      \(table(of: commonErrors))

      ## Connections

      The server keeps up to \(limits.connections) connections, or half as many as the process may open files.
      Further clients wait until one closes. A connection closes

      - \(Int(limits.requestSeconds)) s after its start, if no request is complete;
      - \(Int(limits.deliverySeconds)) s after an answer begins, if the client has not taken all of it;
      - \(Int(limits.idleSeconds)) s after an answer, if no other request has begun;
      - after the answer to a request that asks for it, and to one that is rejected before it is computed.

      A client that closes its side of the connection gets no more answers, and its searches do not start.
      Up to \(limits.waitingRequests) requests of a connection may wait for the answer to an earlier one. An answer is
      computed when the client has taken the one before. Up to \(limits.bodies) bodies are kept, and their connections
      close after the answer.

      \(allCases.map(\.section).joined(separator: "\n\n"))

      """
  }

  /// The heading of the section, as a link has it.
  private var anchor: String {
    path.lowercased().filter { $0.isLetter }
  }

  private var section: String {
    var parts = ["## \(method) \(path)", answer]
    if let body { parts.append("The body has \(body).") }
    if let parameters, !parameters.isEmpty {
      let rows = parameters.map { ["`\($0.name)`", $0.isRequired ? "yes" : "no", $0.meaning] }
      parts.append(markdownTable(["parameter", "required", "meaning"], rows))
    }
    if !content.table.isEmpty { parts.append(content.table) }
    if !errors.isEmpty { parts.append(Endpoint.table(of: errors)) }
    return parts.joined(separator: "\n\n")
  }

  private static func table(of errors: [(status: Int, meaning: String)]) -> String {
    markdownTable(["status", "meaning"], errors.map { ["\($0.status)", $0.meaning] })
  }
}
