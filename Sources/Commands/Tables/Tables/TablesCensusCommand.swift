import ArgumentParser
import Basics
import EndgameTables
import Game2048
import Play

struct TablesCensusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "census",
    abstract: "Count where recorded games hold their large tiles.",
    discussion: """
      The tiles from a goal on are locked if they are all different: they merge with nothing before the goal \
      is made. For each goal and number of other cells, the command prints the share of locked positions, \
      the places of the locked tiles, and the share of positions that classes of tables answer. Symmetric \
      places count as one.

        learn2048 evaluate ntuple --depth 1 --games 1000 --record games
        learn2048 tables census games
      """)

  @Argument(help: "The files of recorded games.", completion: .file())
  var files: [String]

  @Option(
    "tile", "Count the positions from the first one with this tile on (default: 16384).",
    read: tileExponent)
  var from = 14

  @Option(
    "n", "Number of places to print for each kind of position (default: 4).", read: positiveCount)
  var places = 4

  @OptionGroup var color: ColorOptions

  func run() throws {
    var census = TableCensus(fromLargest: from)
    var games = 0
    for file in files {
      let recorded = try GameRecordFile.read(file)
      guard recorded.header.boardSize == 4 else {
        throw LocatedError(
          .unsuitableData, path: file,
          "has games on \(recorded.header.boardSize)x\(recorded.header.boardSize)",
          remedy: "name games on 4x4")
      }
      for player in recorded.header.players.indices {
        for game in recorded.entries[player].indices {
          var replay = try recorded.replay(player: player, game: game, path: file)
          var isLate = false
          repeat {
            census.add(replay.board)
            isLate = isLate || replay.board.largestTileExponent >= from
          } while try replay.step() != nil
          games += isLate ? 1 : 0
        }
      }
    }
    guard games > 0 else {
      throw Failure(
        .badData,
        "no game has a tile of \(1 << from). Name other games, or a smaller tile with --from.")
    }
    StandardOutput.line(census.text(games: games, from: 1 << from, places: places))
  }
}
