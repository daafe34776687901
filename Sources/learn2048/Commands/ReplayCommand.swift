import Arena
import ArgumentParser
import Basics
import Console
import Review

struct ReplayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Show a game that 'evaluate --record' or 'play' recorded.",
    discussion: """
      On a terminal the game is shown move by move. Otherwise the command prints one line per move: its \
      number, direction and reward, the score, and the board with the new tile.
      """)

  @Argument(help: "The file of recorded games.", completion: .file())
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

  @OptionGroup var color: ColorOptions

  func validate() throws {
    if !first.isEmpty, game != nil || player != nil {
      throw ValidationError(
        "--first is about all games. Leave out \(game != nil ? "--game" : "--player").")
    }
  }

  func run() throws {
    let games = try GameRecordFile.read(file)
    if !first.isEmpty {
      for (_, _, board) in try games.firstBoards(with: first, path: file) {
        StandardOutput.line(board.text)
      }
      return
    }
    let (place, index) = try games.find(game: game ?? 1, player: player, path: file)
    let title =
      "\(games.header.players[place]), game \(NumberText.grouped(index + 1)) of "
      + "\(NumberText.grouped(games.entries[place].count)), seed \(games.header.seed)"
    let played = try PlayedGame(games.replay(player: place, game: index, path: file))
    guard RawTerminal.isAvailable else { return StandardOutput.line(played.text(title: title)) }
    Replay(title: title, game: played).show(color: color)
    if let number = SignalWatcher.received { throw Failure(signal: number) }
  }
}
