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

extension TableCensus {
  /// The census as tables of text.
  ///
  /// - Parameters:
  ///   - games: The number of games with a position that counts.
  ///   - tile: The tile that such a position has at least.
  ///   - count: The number of places to list for each kind of position.
  fileprivate func text(games: Int, from tile: Int, places count: Int) -> String {
    let title =
      "\(NumberText.count(positions, "position")) with \(tile) or more, of "
      + NumberText.count(games, "game")
    let sections = [
      [title], section("Positions by free cells and goal", kindTable),
      section("Places of the locked tiles, by their share", placeLines(count)),
      section("Share of locked positions that a class of tables answers", classTable),
      section("Positions by their largest tiles, and the share that a class answers", chainTable),
    ]
    return sections.map { $0.joined(separator: "\n") }.joined(separator: "\n\n")
  }

  private func section(_ title: String, _ lines: [String]) -> [String] { [title + ":"] + lines }

  private var sortedKinds: [(kind: Kind, places: Places)] {
    kinds.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  private func share(_ part: Int, of whole: Int) -> String {
    NumberText.percent(Double(part) / Double(max(1, whole)))
  }

  private var kindTable: [String] {
    let most = [1, 2, 4, 8]
    let rows = sortedKinds.map { kind, places in
      let all = places.locked + places.notLocked
      return ["\(kind.freeCells) to \(1 << kind.goal)", share(all, of: positions)]
        + [share(places.locked, of: all), "\(places.cells.count)"]
        + most.map { NumberText.percent(places.share(ofMostFrequent: $0)) }
    }
    return alignedTable(
      [["free cells", "positions", "locked", "places"] + most.map { "best \($0)" }] + rows)
  }

  private func placeLines(_ count: Int) -> [String] {
    sortedKinds.filter { $0.places.locked > 0 }.map { kind, places in
      let shown = places.byCount.prefix(count).map {
        "\($0.place) \(share($0.count, of: places.locked))"
      }
      return "\(kind.freeCells) to \(1 << kind.goal): " + shown.joined(separator: ", ")
    }
  }

  private var classTable: [String] {
    let goals = Array(TableCensus.goals)
    let rows = classes.map { table in
      ["\(table.name) (\(table.freeCellCount))"]
        + goals.map { goal in
          let kind = Kind(freeCells: table.freeCellCount, goal: goal)
          return kinds[kind] == nil ? "-" : NumberText.percent(share(of: table, in: kind))
        }
    }
    return alignedTable([["class (free)"] + goals.map { "to \(1 << $0)" }] + rows)
  }

  private var chainTable: [String] {
    let shown = classes.indices.sorted { share(of: $0) > share(of: $1) }.prefix(8)
    let rows = chains.sorted { $0.key < $1.key }.map { chain, found in
      ["\(chain)", share(found.positions, of: positions)]
        + shown.map { share(found.answered[$0], of: found.positions) }
    }
    let all = ["all", "100.0%"] + shown.map { NumberText.percent(share(of: $0)) }
    return alignedTable(
      [["largest tiles", "positions"] + shown.map { classes[$0].name }] + rows + [all], width: 120)
  }
}
