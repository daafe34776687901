import ArgumentParser
import Basics
import Game2048
import Play

struct ReplayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Show a game that 'evaluate --record' or 'play' recorded, or another program.",
    discussion: """
      FILE is one that 'learn2048 review' reads, or the saved state of the browser game.

      On a terminal the game is shown move by move. Otherwise the command prints one line per move: its \
      number, direction and reward, the score, and the board with the new tile.
      """)

  @Argument(
    help: "Recorded games, or another file with a game; - for standard input.", completion: .file())
  var file: String

  @Option("n", "Number of the game, from 1 (default: 1).", read: positiveCount)
  var game: Int?

  @Option("name", "Name of the player in the file (default: the first).")
  var player: String?

  @Option(
    "tiles",
    """
    Print the first board with this tile of every game in the file instead, one per line. With several tiles, such \
    as 16384,8192, the board must have all of them.
    """,
    read: list(of: tileExponent))
  var first: [Int] = []

  @Flag(help: "Read values as exponents.")
  var exponents = false

  @OptionGroup var color: ColorOptions

  func validate() throws {
    if !first.isEmpty, game != nil || player != nil {
      throw ValidationError(
        "--first is about all games. Leave out \(game != nil ? "--game" : "--player").")
    }
  }

  func run() throws {
    if !first.isEmpty {
      let games = try GameRecordFile.read(file)
      for (_, _, board) in try games.firstBoards(with: first, path: file) {
        StandardOutput.line(board.text)
      }
      return
    }
    let source = try GameSource(
      readingFrom: file, game: game, player: player,
      options: ["--game": game, "--player": player])
    let played = try source.game(asExponents: exponents)
    guard RawTerminal.isAvailable, file != "-" else {
      return StandardOutput.line(played.text(title: source.title))
    }
    Replay(title: source.title, game: played).show(color: color)
    if let number = SignalWatcher.received { throw Failure(signal: number) }
  }
}

/// A game as it is shown on the terminal.
struct Replay {
  let title: String
  let game: PlayedGame

  private var moves: Int { game.moves.count }

  /// Shows the game on the terminal, forwards and backwards, until the person quits.
  func show(color: ColorOptions) {
    let terminal = GameTerminal(boardSize: game.rules.size, fastest: 5, color: color)
    var place = 0
    var isPaused = false
    while true {
      let plays = !isPaused && place < moves
      guard let keys = terminal.keys(content(at: place), plays: plays) else { return }
      for key in keys {
        switch key {
        case .character(" "): isPaused.toggle()
        case .move(let direction):
          isPaused = true
          switch direction {
          case .left: place = max(0, place - 1)
          case .right: place = min(moves, place + 1)
          case .up: place = 0
          case .down: place = moves
          }
        default: break
        }
      }
      if plays, !isPaused, keys.isEmpty { place += 1 }
    }
  }

  private func content(at place: Int) -> PlayScreen.Content {
    let position = game.position(after: place)
    var content = PlayScreen.Content()
    content.board = position.board
    content.score = position.score
    content.bestScore = game.score
    content.bestScoreName = "final"
    content.moves = place
    content.message =
      (position.move.map { "\(PlayScreen.arrow($0.direction)) +\($0.reward)   " } ?? "")
      + (place < moves
        ? ""
        : game.rules.isOver(position.board) ? "The game is over.   " : "The record ends here.   ")
      + title
    content.keys = [
      "space pause/continue", "left/right one move back/forward", "up/down first/last", "+/- speed",
      "q quit",
    ]
    return content
  }
}
