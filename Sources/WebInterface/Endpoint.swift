/// A request that the server answers. The router and the reference page use this list.
package enum Endpoint: CaseIterable, Sendable {
  case page, pageFile, server, game, move, analyze, bestMove, recordedGames, recordedGame, runs,
    reports, configuration, interfaceDescription

  /// A parameter of the query.
  package struct Parameter: Sendable {
    /// What the values of a parameter are.
    enum Kind: Sendable {
      case board, direction, number, player
    }
    package let name: String
    let kind: Kind
    package let isRequired: Bool
    /// The meaning, as a noun phrase.
    package let meaning: String
  }

  /// The path, in which `NAME` and `N` at the end stand for any text.
  package var path: String {
    switch self {
    case .page: "/"
    case .pageFile: "/page/NAME"
    case .server: "/api/server"
    case .game: "/api/game"
    case .move: "/api/move"
    case .analyze: "/api/analyze"
    case .bestMove: "/move"
    case .recordedGames: "/api/games"
    case .recordedGame: "/api/games/N"
    case .runs: "/api/runs"
    case .reports: "/api/runs/NAME"
    case .configuration: "/api/configurations/NAME"
    case .interfaceDescription: "/api/openapi.json"
    }
  }

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

  /// The parameters that the query may have; nil if it is ignored.
  package var parameters: [Parameter]? {
    switch self {
    case .page, .pageFile: nil
    case .server, .runs, .configuration, .interfaceDescription: []
    case .game:
      [
        Parameter(
          name: "seed", kind: .number, isRequired: false,
          meaning: "the seed of all spawns; random by default")
      ]
    case .move:
      [
        Parameter(
          name: "board", kind: .board, isRequired: true, meaning: "the board before the move"),
        Parameter(
          name: "direction", kind: .direction, isRequired: true,
          meaning: "`up`, `down`, `left` or `right`"),
        Parameter(name: "seed", kind: .number, isRequired: true, meaning: "the seed of the game"),
        Parameter(
          name: "moves", kind: .number, isRequired: true,
          meaning: "the number of moves before this one"),
      ]
    case .analyze:
      [
        Parameter(name: "board", kind: .board, isRequired: true, meaning: "the board to evaluate"),
        Parameter(
          name: "player", kind: .player, isRequired: true,
          meaning: "the player, as on the command line"),
        Parameter(
          name: "seed", kind: .number, isRequired: false,
          meaning: "the seed of the game, to make the best move"),
        Parameter(
          name: "moves", kind: .number, isRequired: false,
          meaning: "the number of moves before this one; 0 by default"),
      ]
    case .bestMove:
      [
        Parameter(name: "board", kind: .board, isRequired: true, meaning: "the board to move on"),
        Parameter(
          name: "player", kind: .player, isRequired: false,
          meaning: "the player, as on the command line; `\(WebInterface.usualPlayer)` by default"),
      ]
    case .recordedGames:
      [
        Parameter(
          name: "after", kind: .number, isRequired: false,
          meaning: "the number of a game; only later games are returned")
      ]
    case .recordedGame:
      [
        Parameter(
          name: "player", kind: .player, isRequired: false,
          meaning: "the player of the game; the first by default"
        )
      ]
    case .reports:
      [
        Parameter(
          name: "after", kind: .number, isRequired: false,
          meaning: "a number of episodes; only later reports are returned")
      ]
    }
  }

  /// The answer, in Markdown.
  package var answer: String {
    switch self {
    case .page: "The page, in HTML."
    case .pageFile:
      "A file of the page: \(PageFile.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", "))."
    case .server:
      "An object with `version`, `model`, `boardSize` and `players`: the players that the page offers, "
        + "each with `player`, `label` and `valuesArePoints`."
    case .game: "An object with `seed` and `board`: a new game with its two first tiles."
    case .move:
      "An object with `afterstate`, `reward`, `slides` (`from` and `to` of each tile, as cells), `spawn` "
        + "(`cell` and `exponent`), `board` (after the spawn) and `isOver`."
    case .analyze:
      "The object of `learn2048 analyze --json`, with more keys: `player`; `valuesArePoints`, whether "
        + "the action values are expected points; `milliseconds`, the elapsed time; and with a seed, "
        + "`next`, the answer of `/api/move` for the best move, if there is one."
    case .bestMove:
      "The best move as one letter in plain text: `u`, `r`, `d` or `l`, or `g` if there is none, because the game is "
        + "over. This is how the server of [2048-ai](https://github.com/macroxue/2048-ai) answers. Pages of the "
        + "sites that `serve --allow-origin ORIGIN` names may read the answer."
    case .recordedGames:
      "The games that `serve --games FILE` has read: an object with `players`, their names; `games`, the "
        + "number of games of each; and `list`, an array of up to \(WebInterface.listedGames) objects with "
        + "`game`, a number from 1, and `scores`, in the order of the players."
    case .recordedGame:
      "The recorded game `N`, from 1: an object with `game`, `player`, `seed`, `score`, `boards`, and `moves`, "
        + "the directions between the boards."
    case .runs:
      "An array with an object per run under `Models/`, starting with that of the latest report: `name`, "
        + "`isTraining` (whether the last report is less than a minute old), `last`, the last "
        + "report, which is missing if there is none, and `secondsLeft`, an estimate of the time to the end, which "
        + "is missing unless the run is training."
    case .reports: "An array of the reports of the run `NAME`."
    case .configuration: "The configuration of the run `NAME`, with every key, as in `config.json`."
    case .interfaceDescription:
      "The description of these requests in the form of OpenAPI 3.1, as in [openapi.json](openapi.json)."
    }
  }

  /// The statuses of requests that cannot be answered, besides those of every request.
  package var errors: [(status: Int, meaning: String)] {
    switch self {
    case .page: []
    case .pageFile: [(404, "There is no such file.")]
    case .recordedGames: [(400, "A parameter is unknown or invalid.")]
    case .recordedGame:
      [
        (400, "A parameter is unknown or invalid."),
        (404, "There is no such game, or none of the player."),
        (422, "The recorded game breaks the rules."),
      ]
    case .server, .runs, .interfaceDescription: [(400, "A parameter is given.")]
    case .game: [(400, "A parameter is unknown or invalid.")]
    case .move:
      [
        (400, "A parameter is unknown, missing or invalid."),
        (409, "The move changes nothing, or makes a tile beyond 131072."),
      ]
    case .analyze:
      [
        (400, "A parameter is unknown, missing or invalid, or the player is not allowed here."),
        (409, "With a seed: the best move makes a tile beyond 131072."),
      ]
    case .bestMove:
      [(400, "A parameter is unknown, missing or invalid, or the player is not allowed here.")]
    case .reports: [(400, "A parameter is unknown or invalid."), (404, "There is no such run.")]
    case .configuration:
      [
        (400, "A parameter is given."), (404, "There is no such run."),
        (422, "The configuration is damaged."),
      ]
    }
  }
}

extension Endpoint {
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
      (405, "The method is not `GET` or `HEAD`."),
      (408, "The request was not complete \(Int(limits.requestSeconds)) s after its first byte."),
      (413, "The request has a body."),
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

      Requests are `GET` or `HEAD`, with parameters in the query, and all answers but the files of the page and `/move`
      are JSON. Boards and players are written as on the command line, with spaces as `%20`. Cells are numbered from 0 row
      by row, as on a 4x4 board. For example:

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

      A player uses the model of the server or no model. It may search up to 4 plies, 5,000 ms or 1e7 nodes,
      with a table of up to 256 MiB and 16 threads. `depth=auto` requires a probability of at least 1e-4. Monte
      Carlo players may run up to 1,000 simulations.

      | request | answer |
      |---|---|
      \(allCases.map { "| [`\($0.path)`](#get-\($0.anchor)) | \($0.answer) |" }.joined(separator: "\n"))

      ## Who is answered

      By default the server listens on 127.0.0.1, and answers programs and browsers of this machine. Requests that
      another site's page makes are rejected, by their `Sec-Fetch-Site` and `Origin` headers. So are requests under any
      host name but `localhost` and loopback addresses, because a site can let its own name resolve to 127.0.0.1.

      Pages of another site can ask for moves with [`/move`](#get-move), and for nothing else, if `serve --allow-origin
      ORIGIN` names the site. No site may by default, because any page could then keep this machine searching. A browser
      sends the origin of a page in a header that the page cannot change; it reads the answer, because that names the
      same origin in `Access-Control-Allow-Origin`. Programs send no such headers, and need no permission.

      With `serve --host ADDRESS` and an address that other machines reach, every request requires the random token that
      `serve` prints as a part of the address: as the parameter `token`, or as the cookie `token`. The cookie is set
      when a browser opens the page with the parameter; it lasts 30 days, and the token until the server ends. Requests
      without the token, from another site, or under a host name other than `localhost` and IP addresses are rejected
      with status 403. The connection is not encrypted.

      ## Errors

      A request that cannot be answered gets an object with `error`, a message, and a status. Every request
      can have these:

      | status | meaning |
      |---|---|
      \(table(of: commonErrors).joined(separator: "\n"))

      ## Connections

      The server keeps up to \(limits.connections) connections, or half as many as the process may open files.
      Further clients wait until one closes. A connection closes

      - \(Int(limits.requestSeconds)) s after its start, if no request is complete;
      - \(Int(limits.idleSeconds)) s after an answer, if no other request has begun;
      - after the answer to a request that asks for it, and to one that is rejected before it is computed.

      A client that closes its side of the connection gets no more answers, and its searches do not start.
      Up to \(limits.waitingRequests) requests of a connection may wait for the answer to an earlier one.

      \(allCases.map(\.section).joined(separator: "\n\n"))

      """
  }

  /// The heading of the section, as a link has it.
  private var anchor: String {
    path.lowercased().filter { $0.isLetter }
  }

  private var section: String {
    var lines = ["## GET \(path)", "", answer]
    if let parameters, !parameters.isEmpty {
      lines += ["", "| parameter | required | meaning |", "|---|---|---|"]
      lines += parameters.map {
        "| `\($0.name)` | \($0.isRequired ? "yes" : "no") | \($0.meaning) |"
      }
    }
    if !errors.isEmpty {
      lines += ["", "| status | meaning |", "|---|---|"] + Endpoint.table(of: errors)
    }
    return lines.joined(separator: "\n")
  }

  private static func table(of errors: [(status: Int, meaning: String)]) -> [String] {
    errors.map { "| \($0.status) | \($0.meaning) |" }
  }
}
