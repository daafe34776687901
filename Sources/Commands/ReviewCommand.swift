import ArgumentParser
import Basics
import Play

struct ReviewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "review",
    abstract:
      "Review a game: what each move gave away, the moments that mattered, and the accuracy.",
    discussion: """
      FILE has games that 'evaluate --record' or 'play' recorded, or one game: its boards, as 'learn2048 replay' \
      prints them and other programs log them, or a .rpl of 2048EndgameTablebase; - reads standard input. The \
      rules tell the move between two boards; a pair without one is an error.

      The loss of a move is the value of the best move minus that of the played one, in points; the values of \
      the player must be points. \(GameReview.gradeDefinition) \
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

  @Flag(help: "Read values as exponents.")
  var exponents = false

  @Flag(help: "Print a table of all moves instead of the boards that mattered most.")
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
    let source = try GameSource(
      readingFrom: file, game: game, player: of, options: ["--game": game, "--of": of])
    let players = PlayerFactory.showingProgress()
    let makePlayer = try players.maker(of: specification, inParallel: threads)
    let game = try source.game(modelRules: players.rules, asExponents: exponents)
    try game.requireMoves(name: BoardText.name(of: file))
    let review = GameReview(of: game, threads: threads, makePlayer: makePlayer) {
      StandardError.shared.showCount($0, of: game.moves.count, "moves")
    }
    StandardError.shared.endProgress()
    let document = ReviewedGame(player: "\(specification)", review: review)
    try output.show(document, text: document.text(listsAllMoves: all))
  }
}
