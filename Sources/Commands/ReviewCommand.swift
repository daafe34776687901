import ArgumentParser
import Basics
import Play

struct ReviewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "review",
    abstract: "Review the moves of a game: the loss of each, and the accuracy.",
    discussion: """
      FILE has games that 'evaluate --record' or 'play' recorded, or the boards of one game, one per line, as \
      'learn2048 replay FILE' prints them and the page of 'serve' copies them; - reads boards from standard \
      input. Empty lines and lines that start with # are skipped. The rules tell the move between two boards; \
      a pair without one is an error.

      The loss of a move is the value of the best move minus that of the played one, in points; the values of \
      the player must be points. \
      \(GameReview.accuracyDefinition)
      """)

  @Argument(
    help: "Recorded games, or the boards of a game; - for standard input.", completion: .file())
  var file: String

  @Option("n", "Number of the recorded game, from 1 (default: 1).", read: positiveCount)
  var game: Int?

  @Option("name", "Name of the player in the recorded games (default: the first).")
  var of: String?

  @OptionGroup var player: PlayerOptions

  @Option("n", "Number of threads (default: the number of cores).", read: threadCount)
  var threads: Int?

  @Flag(help: "Print all moves, not only the worst.")
  var all = false

  @OptionGroup var output: OutputOptions

  func run() throws {
    let specification = try player.specification()
    guard specification.valuesArePoints else {
      throw Failure(
        .usage,
        "the values of \(specification) are not points, so its losses mean nothing. Review with a learned "
          + "player, or with montecarlo without an evaluator.")
    }
    let threads = threads ?? coreCount
    // The file comes first, because a model may take long to read.
    let source = try GameSource(readingFrom: file, game: game, player: of)
    let players = PlayerFactory.showingProgress()
    let makePlayer = try players.maker(of: specification, inParallel: threads)
    let game = try source.game(modelRules: players.rules)
    let review = GameReview(of: game, threads: threads, makePlayer: makePlayer) {
      StandardError.shared.showCount($0, of: game.moves.count, "moves")
    }
    StandardError.shared.endProgress()
    let document = ReviewedGame(player: "\(specification)", review: review)
    try output.show(document, text: document.text(listsAllMoves: all))
  }
}

/// The document of `review --json`.
struct ReviewedGame: Document {
  let player: String
  let review: GameReview

  static let fields: [Field<ReviewedGame>] = [
    Field("player", \.player, "The PLAYER text of the reviewing player."),
    Field("score", \.review.finalScore, unit: "points", "The score after the last move."),
    Field("totalLoss", \.review.totalLoss, unit: "points", "The sum of all losses."),
    Field("meanLoss", \.review.meanLoss, unit: "points", "The mean loss per move."),
    Field(
      "accuracy", \.review.accuracy,
      "1 minus the sum of losses divided by the sum of mean losses, over the boards with several legal moves; "
        + "null if the mean losses are 0."),
    Field(
      "worst", { $0.review.worst().map(\.number) },
      "The numbers of the ten moves with the largest losses, the largest first."),
    Field("moves", \.review.moves),
  ]

  /// Returns a summary, and a table of all moves in order or of the worst.
  func text(listsAllMoves: Bool) -> String {
    let listed = listsAllMoves ? review.moves : review.worst()
    let summary = """
      reviewed by \(player)
      score \(NumberText.grouped(review.finalScore)) in \(NumberText.count(review.moves.count, "move"))
      total loss \(NumberText.points(review.totalLoss)) points, \(NumberText.points(review.meanLoss ?? 0)) per move
      accuracy \(review.accuracy.map(NumberText.percent) ?? "-")
      """
    guard !listed.isEmpty else { return summary + "\n\nEvery move was the best." }
    let title = listsAllMoves ? "moves" : "worst moves"
    let table = alignedTable(GameReview.Move.table(listed))
    return "\(summary)\n\n\(title):\n" + table.joined(separator: "\n")
  }
}

extension GameReview.Move: Document {
  package static let fields: [Field<Self>] = [
    Field("board", \.played.board, "The board before the move.")
      .column("board") { $0.played.board.text },
    Field("number", \.number, "The number of the move, from 1.")
      .column("move") { "\($0.number)" },
    Field("played", \.played.direction, "The direction played.")
      .column("played") { "\($0.played.direction)" },
    Field("best", \.best, "The best move.").column("best") { "\($0.best)" },
    Field("score", \.played.score, unit: "points", "The score before the move."),
    Field(
      "loss", \.loss, unit: "points",
      "The value of the best move minus that of the played one; at least 0."
    ).column("loss") { NumberText.points($0.loss) },
    Field(
      "meanLoss", \.meanLoss, unit: "points",
      "The mean loss of the legal moves; null if only one is legal."),
    Field(
      "expected", \.expected, unit: "points",
      "The expected final score before the move: the score plus the value of the best move."
    ).column("expected score") { NumberText.grouped($0.expected) },
  ]
}
