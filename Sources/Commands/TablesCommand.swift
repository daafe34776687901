import ArgumentParser
import Basics
import EndgameTables
import Game2048
import Play
import Synchronization

struct TablesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tables",
    abstract: "Build endgame tables, and count the positions that they would answer.",
    subcommands: [TablesBuildCommand.self, TablesCensusCommand.self])
}

struct TablesBuildCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "build",
    abstract: "Build tables of exact probabilities, or resume their build.",
    discussion: """
      Without cells and a goal, it builds the two tables of the search option 'endgame'. They take 6 GB. Ctrl-C, \
      SIGTERM and SIGHUP end the build; the same command resumes it.

        learn2048 tables build Chains
        learn2048 tables build Tables ####/##../..../.... 512

      A table knows the boards on which different large tiles stand on the locked cells and all other tiles are \
      below the goal. It has the probability of making the goal with the best moves that leave the locked tiles \
      where they are.
      """)

  @Argument(
    help: "The directory of the tables, which is created if it does not exist.",
    completion: .directory)
  var directory: String

  @Argument(
    help: "The locked cells: four rows of # for locked and . for free, separated by /.",
    transform: lockedCells)
  var locked: CellSet?

  @Argument(
    help: "The tile to make on the free cells, 8 to 1024; with --chain, 32 to 1024.",
    transform: exponent(ofTileIn: TableShape.goals(of: .tile)))
  var goal: Int?

  @Option(
    "sum", "What the tiles on free cells may add up to, beyond the goal (default: 64).",
    read: count(in: 0...4096))
  var margin = TableShape.standardMargin

  @Flag(
    help: """
      Count a chain of falling tiles that merges into the goal beside the locked cells, not the goal anywhere. The \
      locked cells are \(chainedCells). This is how the tables of 'endgame' count.
      """)
  var chain = false

  @Option("n", "Number of threads, 1 to 1024 (default: one per core).", read: threadCount)
  var threads: Int?

  @OptionGroup var color: ColorOptions

  func validate() throws {
    if locked != nil && goal == nil {
      throw ValidationError("locked cells need a goal. Add one, such as 512.")
    }
  }

  func run() throws {
    try requireThreads()
    let builders = try shapes().map {
      TableBuilder($0, directory: directory, threads: threads ?? coreCount)
    }
    let progress = Mutex<[String]>([])
    var lines: [String] = []
    let isComplete = try supervise(
      interval: 10, progress: { _ in progress.withLock { $0 } },
      requestStop: { for builder in builders { builder.requestStop() } },
      isSafe: { true }, finishing: "layer"
    ) {
      for (number, builder) in builders.enumerated() {
        let name = "\(builder.shape.name) (\(number + 1)/\(builders.count))"
        let began = ContinuousClock.now
        let table = try builder.build { state in
          progress.withLock { $0 = ["\(name)  \(state.text)"] }
        }
        guard let table else { return false }
        lines.append(
          """
          \(table.path): \(NumberText.grouped(table.entryCount)) probabilities, \
          \(byteText(table.byteCount)), \(NumberText.duration(began.duration(to: .now).seconds))
          """)
      }
      return true
    }
    lines.forEach(StandardOutput.line)
    if !isComplete, let number = SignalWatcher.received { throw Failure(signal: number) }
  }

  private func shapes() throws -> [TableShape] {
    let largestGoal = TableShape.goals(of: .chain).upperBound
    guard let locked, let goal else {
      return try TableShape.chainedCells.map { try shape($0, goal: largestGoal, .chain) }
    }
    if chain, !TableShape.chainedCells.contains(locked) {
      throw Failure(
        .usage, "no chain fits the locked cells \(locked). Choose \(chainedCells).")
    }
    return [try shape(locked, goal: goal, chain ? .chain : .tile)]
  }

  private func shape(
    _ locked: CellSet, goal: Int, _ target: TableShape.Target
  ) throws -> TableShape {
    guard let shape = TableShape(locked: locked, goal: goal, target: target, margin: margin) else {
      throw Failure(
        .usage,
        """
        no table has \(locked.cells.nonzeroBitCount) locked cells, the goal \(1 << goal) and a margin of \
        \(margin). Choose 2 to 12 free cells, a goal from \
        \(1 << TableShape.goals(of: target).lowerBound) to 1024, at most \(max(0, 16 - goal)) locked cells \
        for this goal, and an even margin of at most \(15 << goal).
        """)
    }
    return shape
  }
}

private let chainedCells = TableShape.chainedCells.map(\.description).joined(separator: " or ")

private func lockedCells(_ text: String) throws -> CellSet {
  guard let cells = CellSet(text) else {
    throw ValidationError("Use four rows of # and ., such as ####/##../..../....")
  }
  return cells
}

extension TableBuilder.Progress {
  fileprivate var text: String {
    let isForward = steps * 2 <= totalSteps
    let phase = isForward ? "boards" : "probabilities"
    let count = NumberText.grouped(isForward ? boards : entries)
    return "\(NumberText.percent(Double(steps) / Double(totalSteps)))  \(count) \(phase)"
  }
}

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
  /// - Parameter games: The number of games with a position that counts.
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
