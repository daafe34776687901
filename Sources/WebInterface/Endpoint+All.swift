import Basics
import Play
import Training

// Every request that the server answers, in the order of the reference.

extension Endpoint {
  package static let allCases = [
    page, pageFile, server, game, move, analyze, bestMove, recordedGames, recordedGame, playedGame,
    runs, reports, configuration, interfaceDescription,
  ]

  static let page = Endpoint(
    name: "page", path: "/", parameters: nil, answer: "The page, in HTML.",
    content: .text("text/html"), queue: \.quickQueue
  ) { interface, request in interface.page(for: request) }

  static let pageFile = Endpoint(
    name: "pageFile", path: "/page/NAME", parameters: nil,
    answer: "A file of the page: \(PageFile.all.map { "`\($0.name)`" }.joined(separator: ", ")).",
    ownErrors: [(404, "There is no such file.")], content: .text("text/*"),
    variableSchema: ValueSchema.names(PageFile.all.map(\.name)), queue: \.quickQueue
  ) { interface, request in try interface.pageFile(request.name).response }

  private static let exponents = Parameter.optional(
    "exponents", .flag, "1 if the values of the board are exponents; 0 by default")

  static let server = Endpoint(
    name: "server", path: "/api/server",
    answer: "The model of the server, and the players that the page offers.",
    content: .document("Server", ServerDescription.self), queue: \.quickQueue
  ) { interface, _ in try .json(interface.description) }

  static let game = Endpoint(
    name: "game", path: "/api/game",
    parameters: [.optional("seed", .seed, "the seed of all spawns; random by default")],
    answer: "A new game with its two first tiles.",
    content: .document("Game", NewGame.self), queue: \.quickQueue
  ) { interface, request in try .json(interface.newGame(request.query)) }

  static let move = Endpoint(
    name: "move", path: "/api/move",
    parameters: [
      .required("board", .board, "the board before the move"), exponents,
      .required("direction", .direction, "`up`, `down`, `left` or `right`"),
      .required("seed", .seed, "the seed of the game"),
      .required("moves", .number, "the number of moves before this one"),
    ],
    answer: "The effect of a move, and the spawn after it.",
    ownErrors: [
      (409, "The move changes nothing.")
    ], content: .document("Move", MoveEffect.self), queue: \.quickQueue
  ) { interface, request in try .json(interface.move(request.query)) }

  static let analyze = Endpoint(
    name: "analyze", path: "/api/analyze",
    parameters: [
      .required("board", .board, "the board to evaluate"), exponents,
      .required("player", .player, "the player, as on the command line"),
      .optional("seed", .seed, "the seed of the game, to make the best move"),
      .optional("moves", .number, "the number of moves before this one; 0 by default"),
    ],
    answer:
      "What a player makes of a board: the object of [`analyze --json`](Commands.md#json-documents), with more keys.",
    ownErrors: [
      (400, "The player is not allowed here."), tooLittleMemory,
    ], content: .document("Analysis", TimedAnalysis.self), queue: \.searchQueue
  ) { interface, request in try .json(interface.analysis(request.query)) }

  private static let tooLittleMemory = (
    status: 503, meaning: "The machine has too little memory for the player's table."
  )

  static let bestMove = Endpoint(
    name: "bestMove", path: "/move",
    parameters: [
      .required("board", .board, "the board to move on"), exponents,
      .optional(
        "player", .player,
        "the player, as on the command line; `\(PlayerSpecification.usualText)` by default"),
    ],
    answer:
      "The best move as one letter in plain text: `u`, `r`, `d` or `l`, or `g` if there is none, because the game is "
      + "over. This is how the server of [2048-ai](https://github.com/macroxue/2048-ai) answers. Pages of the "
      + "sites that `serve --allow-origin ORIGIN` names may read the answer.",
    ownErrors: [
      (400, "The player is not allowed here."),
      tooLittleMemory,
    ], content: .text("text/plain", ["enum": ["u", "r", "d", "l", "g"]]), queue: \.searchQueue
  ) { interface, request in try .text(interface.bestMove(request.query)) }

  static let recordedGames = Endpoint(
    name: "recordedGames", path: "/api/games",
    parameters: [
      .optional("after", .number, "the number of a game; only later games are returned")
    ],
    answer:
      "The games that `serve --games FILE` has read, up to \(WebInterface.listedGames) of them.",
    content: .document("RecordedGames", RecordedGameList.self), queue: \.readingQueue
  ) { interface, request in try .json(interface.recordedGames(request.query)) }

  static let recordedGame = Endpoint(
    name: "recordedGame", path: "/api/games/N",
    parameters: [.optional("player", .player, "the player of the game; the first by default")],
    answer: "The recorded game `N`, from 1.",
    ownErrors: [
      (404, "There is no such game, or none of the player."),
      (422, "The recorded game breaks the rules."),
    ], content: .document("RecordedGame", RecordedGame.self),
    variableSchema: ValueSchema.integer(1...Int.max), queue: \.readingQueue
  ) { interface, request in try .json(interface.recordedGame(request.name, request.query)) }

  static let playedGame = Endpoint(
    name: "playedGame", path: "/api/played",
    body: "a game as `learn2048 review` reads it, up to \(InputLimit.boards.words)",
    answer: "The boards, moves and scores of a game.",
    ownErrors: [
      (422, "The text is not a game."), (503, "Too many bodies are being read."),
    ], content: .document("PlayedGame", PlayedGameDocument.self), queue: \.readingQueue
  ) { interface, request in try .json(interface.playedGame(request.body)) }

  static let runs = Endpoint(
    name: "runs", path: "/api/runs",
    answer:
      "An array with an object per run under `Models/`, starting with that of the latest report.",
    content: .list(of: "Run", RunSummary.self),
    queue: \.readingQueue
  ) { interface, _ in try .json(RunSummary.all(interface.runs())) }

  static let reports = Endpoint(
    name: "reports", path: "/api/runs/NAME",
    parameters: [
      .optional("after", .number, "a number of episodes; only later reports are returned")
    ],
    answer: "An array of the [reports](Metrics.md) of the run `NAME`.",
    ownErrors: [(404, "There is no such run.")],
    content: .list(of: "Report", TrainingReport.self, isListed: false), queue: \.readingQueue
  ) { interface, request in try .json(interface.reports(of: request.name, request.query)) }

  static let configuration = Endpoint(
    name: "configuration", path: "/api/configurations/NAME",
    answer: "The configuration of the run `NAME`, with every key, as in `config.json`.",
    ownErrors: [
      (404, "There is no such run."),
      (422, "The configuration is damaged."),
    ], content: .object, queue: \.readingQueue
  ) { interface, request in try .json(interface.configuration(of: request.name)) }

  static let interfaceDescription = Endpoint(
    name: "interfaceDescription", path: "/api/openapi.json",
    answer:
      "The description of these requests in the form of OpenAPI 3.1, as in [openapi.json](openapi.json).",
    content: .object, queue: \.quickQueue
  ) { _, _ in try .json(Endpoint.openAPI) }
}
