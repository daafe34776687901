import Arena
import ArgumentParser
import Basics
import Console
import Game2048
import Players

struct EvaluateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "evaluate",
    abstract: "Compare models and players over games with the same seeds.",
    discussion: """
      Every model plays greedily (1 ply) and with a 2-ply search, unless --depth, --time or --nodes choose \
      the search. Intervals are 95 % intervals: bootstrap intervals of means, differences and ratios, \
      paired by seed, and Wilson intervals of shares.

      RUN@all stands for all checkpoints of a run, for a learning curve. They play greedily unless options \
      choose the search.

        learn2048 evaluate ntuple --against heuristic --games 1000
        learn2048 evaluate ntuple --depth 3 --json
      """)

  @Argument(
    help: """
      Models: runs, RUN@latest, RUN@EPISODES, RUN@all, or weight files (default without --against: the \
      bundled model).
      """)
  var models: [String] = []

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "Compare with this player, such as heuristic or expectimax:depth=2. Repeatable.",
      valueName: "player"))
  var against: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Number of games per player (default: 100).", valueName: "n"),
    transform: positiveCount)
  var games: Int = 100

  @OptionGroup var search: SearchOptions

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Seed of all spawns (default: 1).", valueName: "n"),
    transform: count)
  var seed: Int = 1

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Number of games played in parallel, 1 to 1024 (default: one per core).", valueName: "n"),
    transform: threadCount)
  var threads: Int?

  @Flag(
    help: "Stop as soon as it is decided, for every two players, which of them wins more games.")
  var untilDecided = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Probability of a wrong decision with --until-decided, 1e-9 to 0.5 (default: 0.05).",
      valueName: "probability"))
  var errorRate: Double?

  @Option(
    help: ArgumentHelp(
      "Write one line per game to this file, as comma-separated values.", valueName: "file"))
  var csv: String?

  @Option(
    help: ArgumentHelp(
      "Record all games, move by move, in this file; 'learn2048 replay' shows them.",
      valueName: "file"))
  var record: String?

  @OptionGroup var output: OutputOptions

  /// The largest number of games over all players, whose results, and moves if they are recorded, fit into
  /// memory.
  private var mostGames: Int { record != nil ? 100_000 : csv != nil ? 10_000_000 : 100_000_000 }

  func validate() throws {
    if let errorRate {
      guard untilDecided else {
        throw ValidationError(
          "--error-rate has no effect without --until-decided. Add that, or leave out --error-rate."
        )
      }
      guard 1e-9...0.5 ~= errorRate else {
        throw ValidationError(
          "--error-rate \(errorRate) is not allowed. Use a number from 1e-9 to 0.5.")
      }
    }
    if let csv, let record, resolvedPath(csv) == resolvedPath(record) {
      throw ValidationError("--csv and --record both name \(csv). Name two different files.")
    }
  }

  func run() throws {
    for path in [csv, record].compactMap(\.self) { try requireWritable(path) }
    let models =
      models.isEmpty && against.isEmpty ? [try ModelLocator.requireDefaultModel()] : models
    let line = try LineUp(models: models, search: search, against: against)
    guard games <= mostGames / line.contestants.count else {
      let purpose = record != nil ? " with --record" : csv != nil ? " with --csv" : ""
      throw Failure(
        .usage,
        "--games \(games) is too many for \(line.contestants.count) players. All players together can "
          + "play \(NumberText.grouped(mostGames)) games\(purpose).")
    }
    if untilDecided {
      guard line.groups.count == 1, line.contestants.count >= 2 else {
        throw Failure(
          .usage, "--until-decided requires two or more players. Add one, and leave out RUN@all.")
      }
    }
    let received = ReceivedSignal()
    // It lives until the files are written, so that a signal does not lose the games that were played.
    let watcher = SignalWatcher {
      received.recordOrExit($0)
      StandardError.shared.line(
        "stopping after the current games; press Ctrl-C again to stop at once")
    }
    defer { withExtendedLifetime(watcher) {} }
    var loader = PlayerLoader()
    let (result, contestants, signal) = try play(line, loader: &loader, until: received)
    // The report comes first, because the disk may be full.
    try show(result, contestants, isWhole: signal == nil)
    // Without a finished game, files of an earlier evaluation are kept.
    if signal == nil || result.games > 0 {
      try writeFiles(result, rules: loader.rules ?? .standard)
    }
    if let signal { throw Failure(signal: signal) }
  }

  /// Writes the requested files, each even if the other cannot be written.
  private func writeFiles(_ result: ArenaResult, rules: Rules) throws {
    let csvWriting = Result { if let csv { try writeAtomically(result.csv.utf8, to: csv) } }
    if let record { try GameRecordFile(result, rules: rules).write(to: record) }
    try csvWriting.get()
  }

  /// Prints the results.
  ///
  /// - Parameter isWhole: whether all games were played. After a signal, the results so far go to standard
  ///   error.
  private func show(
    _ result: ArenaResult, _ contestants: [LineUp.Contestant], isWhole: Bool
  ) throws {
    var report = ArenaReport(result)
    for (place, contestant) in contestants.enumerated() {
      report.players[place].episodes = contestant.episodes
    }
    let text = ReportTable.text(report, isCurve: contestants.contains { $0.episodes != nil })
    if !isWhole {
      if result.games > 0 { StandardError.shared.line("results so far:\n" + text) }
    } else if output.json {
      try StandardOutput.json(report)
    } else {
      StandardOutput.line(text)
    }
    if (1..<EvaluateCommand.fewGames).contains(result.games) {
      StandardError.shared.line(
        "warning: intervals of \(result.games) game\(result.games == 1 ? "" : "s") may be too narrow. "
          + "Play more games with --games.")
    }
  }

  /// The number of games below which intervals may be too narrow: those of 5 games of a greedy network cover
  /// the mean in 89 of 100 cases, those of 8 games in 95.
  private static let fewGames = 10

  /// Plays the groups one after the other, so that only the networks of one group are in memory.
  ///
  /// A contestant's games do not depend on the others, so the results equal those of a single arena.
  ///
  /// - Returns: the games, the contestants that played them, and the signal that ended them early, if any;
  ///   then the games are those that all contestants of a group have played.
  private func play(
    _ line: LineUp, loader: inout PlayerLoader, until received: ReceivedSignal
  ) throws -> (result: ArenaResult, contestants: [LineUp.Contestant], signal: Int32?) {
    let console = StandardError.shared
    let threads = threads ?? coreCount
    let meter = GamesMeter(total: games * line.contestants.count)
    // The first model determines the rules, including those of players before it.
    for group in line.groups where group.contains(where: { !$0.specification.models.isEmpty }) {
      if try loadModels(of: group, into: &loader) == nil { break }
    }
    var parts: [ArenaResult] = []
    var contestants: [LineUp.Contestant] = []
    var (gamesBefore, movesBefore) = (0, 0)
    for group in line.groups {
      if line.groups.count > 1 { loader.keepModels(of: group.map(\.specification)) }
      if let error = try loadModels(of: group, into: &loader) {
        console.line("warning: skipped: \(error)")
        continue
      }
      let players = try group.map {
        Contestant(
          name: $0.specification.description,
          makePlayer: try loader.factory(
            for: $0.specification, inParallel: min(threads, games * group.count)))
      }
      let (before, moves) = (gamesBefore, movesBefore)
      meter.show(before, moves: moves, on: console)
      let part = Arena.run(
        contestants: players, games: games, seed: UInt64(seed),
        threads: threads, rules: loader.rules ?? .standard,
        stopping: untilDecided
          ? StoppingRule(players: players.count, errorRate: errorRate ?? 0.05) : nil,
        isRecorded: record != nil,
        progress: { meter.show(before + $0.gamesDone, moves: moves + $0.moves, on: console) },
        shouldStop: { received.number != nil })
      console.endProgress()
      // The groups before a stop have played more games than the one that it ended.
      if received.number != nil, part.games < games, !parts.isEmpty { break }
      parts.append(part)
      contestants += group
      gamesBefore += games * group.count
      movesBefore += part.results.joined().reduce(0) { $0 + $1.moves }
      if received.number != nil { break }
    }
    guard !parts.isEmpty else {
      throw Failure(
        .missingInput,
        "all checkpoints have been deleted. Check whether another program deletes them.")
    }
    return (
      parts.count == 1 ? parts[0] : ArenaResult(joining: parts), contestants, received.number
    )
  }

  /// Loads the models of a group.
  ///
  /// - Returns: the error if these are checkpoints that have been deleted meanwhile, since a run in training
  ///   keeps only the newest; nil otherwise.
  private func loadModels(
    of group: [LineUp.Contestant], into loader: inout PlayerLoader
  ) throws -> LocatedError? {
    do {
      try loader.loadModels(of: group.map(\.specification))
      return nil
    } catch let error as LocatedError
      where error.kind == .missingInput && group.allSatisfy({ $0.episodes != nil })
    {
      return error
    }
  }
}
