import ArgumentParser
import Basics
import Foundation
import Game2048
import Play

struct EvaluateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "evaluate",
    abstract: "Compare models and players over games with the same seeds.",
    discussion: """
      Every model plays greedily (1 ply) and with a 2-ply search, unless --depth, --time, --average or \
      --nodes choose the search. Intervals are 95 % intervals: bootstrap intervals of means, differences and ratios, \
      paired by seed, and Wilson intervals of shares.

      RUN@all stands for all checkpoints of a run, for a learning curve. They play greedily unless options \
      choose the search.

        learn2048 evaluate ntuple --against heuristic --games 1000
        learn2048 evaluate ntuple --depth 3 --json

      With --start, every player plays the same boards to their end, with the same spawns. Scores count from \
      the board on, and shares of tiles count the games whose board did not have the tile.
      """)

  @Argument(
    help: """
      Models: runs, RUN@latest, RUN@EPISODES, RUN@all, or weight files (default without --against: the \
      bundled model).
      """,
    completion: .models)
  var models: [String] = []

  @Option(
    "player",
    repeatable: "Compare with this player, such as heuristic or expectimax:depth=2. Repeatable.")
  var against: [String]

  @Option(
    "n", "Number of games per player (default: 100, or one per board of --start).",
    read: positiveCount)
  var games: Int?

  @Option(
    "file",
    "Play from these boards: one per line, or recorded games with --from. More games repeat the boards."
  )
  var start: String?

  @Option(
    "tiles",
    "Play from the first board with this tile, or with all of several tiles, in every recorded game of --start.",
    read: list(of: tileExponent))
  var from: [Int] = []

  @Flag(help: "Read values of boards as exponents.")
  var exponents = false

  @OptionGroup var search: SearchOptions

  @Option("n", "Seed of all spawns (default: 1).", read: count)
  var seed: Int = 1

  @Option(
    "n", "Number of games played in parallel, 1 to 1024 (default: one per core).",
    read: threadCount)
  var threads: Int?

  @Flag(
    help: """
      Stop as soon as it is decided, for every two players, which of them wins more games. With --start, \
      every game then draws its board.
      """)
  var untilDecided = false

  @Option(
    "probability",
    "Probability of a wrong decision with --until-decided, 1e-9 to 0.5 (default: 0.05).",
    read: number("Use a number from 1e-9 to 0.5.") { 1e-9...0.5 ~= $0 })
  var errorRate: Double?

  @Option(
    "file",
    "Write one line per game to this file, as comma-separated values, while the games are played.")
  var csv: String?

  @Option(
    "file",
    "Record all games, move by move, in this file, while they are played; 'learn2048 replay' shows them."
  )
  var record: String?

  @Flag(
    help: """
      Resume the evaluation in the file of --csv: play only the games that it does not have. With --record, \
      name the file of their moves.
      """)
  var resume = false

  @OptionGroup var output: OutputOptions

  /// The largest number of games over all players, whose results, and moves if they are recorded, fit into
  /// memory.
  private var mostGames: Int { record != nil ? 100_000 : csv != nil ? 10_000_000 : 100_000_000 }

  /// The memory that the result of a game takes at most while the games are played and counted, in bytes.
  private var bytesPerGame: Int { csv != nil ? 560 : 240 }

  func validate() throws {
    if errorRate != nil, !untilDecided {
      throw ValidationError(
        "--error-rate has no effect without --until-decided. Add that, or leave out --error-rate.")
    }
    if start != nil, record != nil {
      throw ValidationError(
        "--record is for whole games, and --start plays from boards. Leave out one of them.")
    }
    if !from.isEmpty, start == nil {
      throw ValidationError("--from has no effect without --start. Add that, or leave out --from.")
    }
    if resume, csv == nil {
      throw ValidationError(
        "--resume needs the file of the evaluation. Name it with --csv.")
    }
    if let csv, let record, resolvedPath(csv) == resolvedPath(record) {
      throw ValidationError("--csv and --record both name \(csv). Name two different files.")
    }
  }

  func run() throws {
    let ranks = try Job.join()
    guard ranks.isLeader else { return try follow(ranks) }
    let files = try GameFiles(csv: csv, record: record, seed: UInt64(seed), resumes: resume)
    let models =
      models.isEmpty && against.isEmpty ? [try ModelLocator.requireDefaultModel()] : models
    let groups = try lineUp(models)
    let count = groups.joined().count
    if let csv, let name = groups.joined().map(\.player.description).first(where: hasLineBreak) {
      throw Failure(
        .usage,
        "a line of \(csv) cannot name the player '\(name.printable())'. Rename its model without the line break."
      )
    }
    let starts = try start.map { try BoardText.starts($0, from: from) }
    let games = games ?? starts?.count ?? 100
    guard games <= mostGames / count else {
      let purpose = record != nil ? " with --record" : csv != nil ? " with --csv" : ""
      throw Failure(
        .usage,
        "--games \(games) is too many for \(NumberText.count(count, "player")). All players together can "
          + "play \(NumberText.count(mostGames, "game"))\(purpose).")
    }
    // Games that are not recorded are few bytes, which only matter if there are very many.
    if !untilDecided {
      try Memory.require(
        games * count * bytesPerGame,
        for: "the results of \(NumberText.count(games * count, "game"))",
        path: "--games", remedy: "play fewer games, or free some memory")
    }
    let earlier = try resume ? earlierGames(files, of: Array(groups.joined()), games: games) : nil
    try requireThreads()
    if untilDecided, groups.count > 1 || count < 2 {
      throw Failure(
        .usage, "--until-decided requires two or more players. Add one, and leave out RUN@all.")
    }
    // It lives until the files are written, so that a signal does not lose the games that were played.
    let watcher = SignalWatcher { _ in
      StandardError.shared.line(
        "stopping after the current games; press Ctrl-C again to stop at once")
    }
    defer { withExtendedLifetime(watcher) {} }
    let (result, entrants, signal) = try play(
      groups, games: games, starts: starts, earlier: earlier, files: files, ranks: ranks)
    // The report comes first, because the disk may be full.
    try show(result, entrants, isWhole: signal == nil)
    if files.hasGames {
      try files.write()
      if signal != nil, let csv {
        StandardError.shared.line(
          "saved the games in \(csv); resume with the same command and --resume")
      }
    }
    if let signal { throw Failure(signal: signal) }
  }

  /// Plays as a rank other than 0, until rank 0 has all games.
  private func follow(_ ranks: any Communicator) throws {
    let watcher = SignalWatcher()
    defer { withExtendedLifetime(watcher) {} }
    try JobGames.follow(
      ranks, threads: threads ?? coreCount, shouldStop: { SignalWatcher.received != nil })
    if let signal = Job.end(ranks) { throw Failure(signal: signal) }
  }

  /// Returns the games of the evaluation to resume; nil if there are none.
  private func earlierGames(
    _ files: GameFiles, of entrants: [Entrant], games: Int
  ) throws -> GameTable? {
    guard let csv, let earlier = try files.read() else { return nil }
    let players = entrants.compactMap { earlier.player(named: $0.player.description) }
    guard !players.isEmpty || earlier.players.isEmpty else {
      let names = earlier.players.map(\.name).joined(separator: ", ")
      throw Failure(
        .usage, "\(csv) has games of \(names). Resume with one of these, or name another file.")
    }
    let played = players.compactMap { $0.games.last?.number }.max().map { $0 + 1 } ?? 0
    guard played <= games else {
      throw Failure(
        .usage,
        "\(csv) has \(NumberText.count(played, "game")). Resume with --games \(played) or more.")
    }
    return earlier
  }

  /// Prints the results.
  ///
  /// - Parameter isWhole: Whether all games were played. After a signal, the results so far go to standard error.
  private func show(
    _ result: ArenaResult, _ entrants: [Entrant], isWhole: Bool
  ) throws {
    var report = ArenaReport(result)
    for (place, entrant) in entrants.enumerated() {
      report.players[place].episodes = entrant.episodes
    }
    // Checkpoints of RUN@all are compared with the player of --against, or with the last of them.
    let isCurve = entrants.contains { $0.episodes != nil }
    let reference =
      isCurve ? entrants.firstIndex { $0.episodes == nil } ?? entrants.count - 1 : 0
    let text = report.table(reference: reference)
    if isWhole {
      try output.show(report, text: text)
    } else if result.games > 0 {
      StandardError.shared.line("results so far:\n" + text)
    }
    if (1..<EvaluateCommand.fewGames).contains(result.games) {
      StandardError.shared.line(
        "warning: intervals of \(NumberText.count(result.games, "game")) may be too narrow. "
          + "Play more games with --games.")
    }
  }

  /// The number of games below which intervals may be too narrow: those of 5 games of a greedy network cover
  /// the mean in 89 of 100 cases, those of 8 games in 95.
  private static let fewGames = 10
}

private func hasLineBreak(_ text: String) -> Bool { text.contains(where: \.isNewline) }

extension EvaluateCommand {
  /// A player; if it is a checkpoint of a learning curve, with the episodes of its training.
  typealias Entrant = (player: PlayerSpecification, episodes: Int?)

  /// Returns the players, in groups that play one after the other.
  ///
  /// First come the models and players that were named one by one, then each checkpoint of `RUN@all` in a
  /// separate group.
  func lineUp(_ models: [String]) throws -> [[Entrant]] {
    if models.isEmpty, let given = search.firstGiven {
      throw Failure(
        .usage,
        "\(given.option) is for models, and none is given. Name a model, or give the option to a player, "
          + "such as heuristic:\(given.setting)")
    }
    func entrants(
      _ model: String, defaultDepths: [Int], episodes: Int? = nil
    ) throws -> [Entrant] {
      try search.players(of: model, defaultDepths: defaultDepths).map { ($0, episodes) }
    }
    var named: [Entrant] = []
    var curves: [[Entrant]] = []
    for model in models {
      guard let run = ModelLocator.runOfAll(model) else {
        named += try entrants(model, defaultDepths: [1, 2])
        continue
      }
      for episodes in try ModelLocator.checkpoints(of: run) {
        curves.append(
          try entrants("\(run)@\(episodes)", defaultDepths: [1], episodes: episodes))
      }
    }
    named += try against.map { (try PlayerSpecification($0), nil) }
    let groups = (named.isEmpty ? [] : [named]) + curves
    var seen: Set<PlayerSpecification> = []
    for (player, _) in groups.joined() where !seen.insert(player).inserted {
      throw Failure(.usage, "\(player) is given twice. Give it once.")
    }
    return groups
  }

  /// Plays the groups one after the other, so that only the networks of one group are in memory.
  ///
  /// A player's games do not depend on the others, so the results equal those of a single arena.
  ///
  /// Meanwhile the files are written.
  ///
  /// - Parameter earlier: the games of the evaluation to resume.
  /// - Returns: the games, the players that played them, and the signal that ended them early, if any;
  ///   then the games are those that all players of a group have played.
  ///
  /// In a job, all ranks play.
  func play(
    _ groups: [[Entrant]], games: Int, starts: [BoardText]?, earlier: GameTable?,
    files: GameFiles, ranks: any Communicator
  ) throws -> (result: ArenaResult, entrants: [Entrant], signal: Int32?) {
    let console = StandardError.shared
    let threads = threads ?? coreCount
    let factory = PlayerFactory.showingProgress()
    let job = JobGames(ranks)
    let players = groups.joined().map(\.player)
    func earlierCount(_ players: [PlayerSpecification]) -> Int {
      players.reduce(0) { $0 + (earlier?.player(named: $1.description)?.games.count ?? 0) }
    }
    let meter = GamesMeter(total: games * players.count, earlier: earlierCount(players))
    // The first model determines the rules, including those of players before it.
    for group in groups where group.contains(where: { !$0.player.models.isEmpty }) {
      if try loadModels(of: group, into: factory) == nil { break }
    }
    let starts =
      try starts?.map { try $0.board(factory.rules ?? .standard, asExponents: exponents) } ?? []
    var parts: [ArenaResult] = []
    var entrants: [Entrant] = []
    var (gamesBefore, playedBefore, movesBefore) = (0, 0, 0)
    var isStopped = false
    for (place, group) in groups.enumerated() {
      if groups.count > 1 { try factory.keepModels(of: group.map(\.player)) }
      if let error = try loadModels(of: group, into: factory) {
        console.line("warning: skipped: \(error)")
        continue
      }
      let (before, played, moves) = (gamesBefore, playedBefore, movesBefore)
      let isLastGroup = place == groups.count - 1
      let save = { @Sendable (table: GameTable, isLast: Bool) in
        // The last games are written after the report.
        if isLast, isLastGroup { return files.note(table) }
        files.save(table)
      }
      meter.show(before, played: played, moves: moves, on: console)
      let part = try job.run(
        group.map(\.player), factory, games: games, seed: UInt64(seed), threads: threads,
        starts: starts, errorRate: untilDecided ? errorRate ?? 0.05 : nil,
        isRecorded: record != nil, earlier: earlier.map { ($0, csv!) },
        progress: {
          meter.show(
            before + $0.gamesDone, played: played + $0.gamesPlayed, moves: moves + $0.moves,
            on: console)
        },
        save: files.isEmpty ? nil : save,
        shouldStop: { SignalWatcher.received != nil })
      console.endProgress()
      // A signal may have reached another rank only.
      let isCut = part.games < games && part.stopping?.isDecided != true
      isStopped = isCut || SignalWatcher.received != nil
      // The groups before a stop have played more games than the one that it ended.
      if isCut, !parts.isEmpty { break }
      parts.append(part)
      entrants += group
      gamesBefore += games * group.count
      playedBefore += games * group.count - earlierCount(group.map(\.player))
      movesBefore += part.results.joined().reduce(0) { $0 + $1.moves }
      if isStopped { break }
    }
    guard !parts.isEmpty else {
      throw Failure(
        .missingInput,
        "all checkpoints have been deleted. Check whether another program deletes them.")
    }
    for (player, counter) in factory.tableCounters.sorted(by: { $0.key < $1.key }) {
      let (boards, answers) = counter.counts
      guard boards > 0 else { continue }
      let share = NumberText.percent(Double(answers) / Double(boards))
      let place = ranks.size > 1 ? " of this process" : ""
      console.line(
        "\(player): tables played \(NumberText.grouped(answers)) of "
          + "\(NumberText.count(boards, "late board"))\(place), \(share)")
    }
    job.end()
    let signal = Job.end(ranks, isCut: isStopped)
    let result = parts.count == 1 ? parts[0] : ArenaResult(joining: parts)
    return (result, entrants, signal)
  }

  /// Loads the models of a group.
  ///
  /// - Returns: the error if these are checkpoints that have been deleted meanwhile, since a run in training
  ///   keeps only the newest; nil otherwise.
  private func loadModels(
    of group: [Entrant], into factory: PlayerFactory
  ) throws -> LocatedError? {
    do {
      try factory.loadModels(of: group.map(\.player))
      return nil
    } catch let error as LocatedError
      where error.kind == .missingInput && group.allSatisfy({ $0.episodes != nil })
    {
      return error
    }
  }
}
