import Play

// Every request that the server answers, in the order of the reference.

extension Endpoint {
  package static let allCases = [
    page, pageFile, server, game, move, analyze, bestMove, recordedGames, recordedGame, runs,
    reports,
    configuration, interfaceDescription,
  ]

  static let page = Endpoint(
    name: "page", path: "/", parameters: nil, answer: "The page, in HTML.", mediaType: "text/html",
    schema: ["type": "string"], queue: \.quickQueue
  ) { interface, request in interface.page(for: request) }

  static let pageFile = Endpoint(
    name: "pageFile", path: "/page/NAME", parameters: nil,
    answer: "A file of the page: \(PageFile.all.map { "`\($0.name)`" }.joined(separator: ", ")).",
    errors: [(404, "There is no such file.")], mediaType: "text/*", schema: ["type": "string"],
    variableSchema: [
      "type": "string", "enum": .array(PageFile.all.map { .string($0.name) }),
    ], queue: \.quickQueue
  ) { interface, request in try interface.pageFile(request.name).response }

  static let server = Endpoint(
    name: "server", path: "/api/server",
    answer:
      "An object with `version`, `model`, `boardSize` and `players`: the players that the page offers, "
      + "each with `player`, `label` and `valuesArePoints`.",
    errors: [(400, "A parameter is given.")], schema: reference("Server"), queue: \.quickQueue
  ) { interface, _ in try .json(interface.serverDocument) }

  static let game = Endpoint(
    name: "game", path: "/api/game",
    parameters: [.optional("seed", .number, "the seed of all spawns; random by default")],
    answer: "An object with `seed` and `board`: a new game with its two first tiles.",
    errors: [(400, "A parameter is unknown or invalid.")], schema: reference("Game"),
    queue: \.quickQueue
  ) { interface, request in try .json(interface.newGame(request.query)) }

  static let move = Endpoint(
    name: "move", path: "/api/move",
    parameters: [
      .required("board", .board, "the board before the move"),
      .required("direction", .direction, "`up`, `down`, `left` or `right`"),
      .required("seed", .number, "the seed of the game"),
      .required("moves", .number, "the number of moves before this one"),
    ],
    answer:
      "An object with `afterstate`, `reward`, `slides` (`from` and `to` of each tile, as cells), `spawn` "
      + "(`cell` and `exponent`), `board` (after the spawn) and `isOver`.",
    errors: [
      (400, "A parameter is unknown, missing or invalid."),
      (409, "The move changes nothing, or makes a tile beyond 131072."),
    ], schema: reference("Move"), queue: \.quickQueue
  ) { interface, request in try .json(interface.move(request.query)) }

  static let analyze = Endpoint(
    name: "analyze", path: "/api/analyze",
    parameters: [
      .required("board", .board, "the board to evaluate"),
      .required("player", .player, "the player, as on the command line"),
      .optional("seed", .number, "the seed of the game, to make the best move"),
      .optional("moves", .number, "the number of moves before this one; 0 by default"),
    ],
    answer:
      "The object of `learn2048 analyze --json`, with more keys: `player`; `valuesArePoints`, whether "
      + "the action values are expected points; `milliseconds`, the elapsed time; and with a seed, "
      + "`next`, the answer of `/api/move` for the best move, if there is one.",
    errors: [
      (400, "A parameter is unknown, missing or invalid, or the player is not allowed here."),
      (409, "With a seed: the best move makes a tile beyond 131072."), tooLittleMemory,
    ], schema: reference("Analysis"), queue: \.searchQueue
  ) { interface, request in try .json(interface.analysis(request.query)) }

  private static let tooLittleMemory = (
    status: 503, meaning: "The machine has too little memory for the player's table."
  )

  static let bestMove = Endpoint(
    name: "bestMove", path: "/move",
    parameters: [
      .required("board", .board, "the board to move on"),
      .optional(
        "player", .player,
        "the player, as on the command line; `\(PlayerSpecification.usualText)` by default"),
    ],
    answer:
      "The best move as one letter in plain text: `u`, `r`, `d` or `l`, or `g` if there is none, because the game is "
      + "over. This is how the server of [2048-ai](https://github.com/macroxue/2048-ai) answers. Pages of the "
      + "sites that `serve --allow-origin ORIGIN` names may read the answer.",
    errors: [
      (400, "A parameter is unknown, missing or invalid, or the player is not allowed here."),
      tooLittleMemory,
    ], mediaType: "text/plain",
    schema: ["type": "string", "enum": ["u", "r", "d", "l", "g"]], queue: \.searchQueue
  ) { interface, request in try .text(interface.bestMove(request.query)) }

  static let recordedGames = Endpoint(
    name: "recordedGames", path: "/api/games",
    parameters: [
      .optional("after", .number, "the number of a game; only later games are returned")
    ],
    answer:
      "The games that `serve --games FILE` has read: an object with `players`, their names; `games`, the "
      + "number of games of each; and `list`, an array of up to \(WebInterface.listedGames) objects with "
      + "`game`, a number from 1, and `scores`, in the order of the players.",
    errors: [(400, "A parameter is unknown or invalid.")], schema: reference("RecordedGames"),
    queue: \.readingQueue
  ) { interface, request in try .json(interface.recordedGames(request.query)) }

  static let recordedGame = Endpoint(
    name: "recordedGame", path: "/api/games/N",
    parameters: [.optional("player", .player, "the player of the game; the first by default")],
    answer:
      "The recorded game `N`, from 1: an object with `game`, `player`, `seed`, `score`, `boards`, and `moves`, "
      + "the directions between the boards.",
    errors: [
      (400, "A parameter is unknown or invalid."),
      (404, "There is no such game, or none of the player."),
      (422, "The recorded game breaks the rules."),
    ], schema: reference("RecordedGame"), variableSchema: ["type": "integer", "minimum": 1],
    queue: \.readingQueue
  ) { interface, request in try .json(interface.recordedGame(request.name, request.query)) }

  static let runs = Endpoint(
    name: "runs", path: "/api/runs",
    answer:
      "An array with an object per run under `Models/`, starting with that of the latest report: `name`, "
      + "`isTraining` (whether a process is training the run now), `last`, the last "
      + "report, which is missing if there is none, `bestMeanScore`, the mean score of the best evaluation, which is "
      + "missing without one, and `secondsLeft`, an estimate of the time to the end, which "
      + "is missing unless the run is training.",
    errors: [(400, "A parameter is given.")], schema: list(reference("Run")), queue: \.readingQueue
  ) { interface, _ in try .json(interface.runList) }

  static let reports = Endpoint(
    name: "reports", path: "/api/runs/NAME",
    parameters: [
      .optional("after", .number, "a number of episodes; only later reports are returned")
    ],
    answer: "An array of the reports of the run `NAME`.",
    errors: [(400, "A parameter is unknown or invalid."), (404, "There is no such run.")],
    schema: list(reference("Report")), queue: \.readingQueue
  ) { interface, request in try .json(interface.reports(of: request.name, request.query)) }

  static let configuration = Endpoint(
    name: "configuration", path: "/api/configurations/NAME",
    answer: "The configuration of the run `NAME`, with every key, as in `config.json`.",
    errors: [
      (400, "A parameter is given."), (404, "There is no such run."),
      (422, "The configuration is damaged."),
    ], schema: ["type": "object"], queue: \.readingQueue
  ) { interface, request in try .json(interface.configuration(of: request.name)) }

  static let interfaceDescription = Endpoint(
    name: "interfaceDescription", path: "/api/openapi.json",
    answer:
      "The description of these requests in the form of OpenAPI 3.1, as in [openapi.json](openapi.json).",
    errors: [(400, "A parameter is given.")], schema: ["type": "object"], queue: \.quickQueue
  ) { _, _ in try .json(Endpoint.openAPI) }
}
