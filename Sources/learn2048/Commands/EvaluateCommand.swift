import Arena
import ArgumentParser
import Basics
import Console
import Game2048
import Players

struct EvaluateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "evaluate",
    abstract: "Play models and players on the same seeds, and compare them.",
    discussion: """
      Every model plays greedily and with a 2-ply search, unless --depth, --time or --nodes say otherwise; \
      --probability, --limits, --table and --search-threads go with one of these. Intervals are 95 % \
      intervals: bootstrap intervals of means, differences and ratios, which are paired by seed, and \
      Wilson's of shares.

      RUN@all stands for all checkpoints of a run, which play greedily without these options: the run's \
      learning curve.
      """)

  @Argument(
    help: """
      Models: runs, DIR@latest, DIR@EPISODES, DIR@all, or weight files; the one that ships, if neither \
      a model nor a player is named.
      """)
  var models: [String] = []

  @Option(
    parsing: .singleValue,
    help: "A player to compare with, such as heuristic or expectimax:depth=2; may be repeated.")
  var against: [String] = []

  @Option(
    parsing: .unconditional, help: "Games of each player (default: 100).", transform: positiveCount)
  var games: Int = 100

  @OptionGroup var search: SearchOptions

  @Option(parsing: .unconditional, help: "The seed of all spawns (default: 1).", transform: count)
  var seed: Int = 1

  @Option(
    parsing: .unconditional, help: "Threads, at most 1024; by default one for each core.",
    transform: threadCount)
  var threads: Int?

  @Flag(
    help: "End the games as soon as it is decided, for every two players, which wins more of them.")
  var untilDecided = false

  @Option(
    parsing: .unconditional,
    help: "The probability that --until-decided decides anything wrongly (default: 0.05).")
  var errorRate: Double?

  @Option(help: "Write a line for each game to this file, as comma-separated values.")
  var csv: String?

  @Option(help: "Write all games, move by move, to this file; learn2048 replay shows them.")
  var record: String?

  @OptionGroup var output: OutputOptions

  /// The most games of all players together: what is kept of them, and of their moves if they are
  /// recorded, fits into memory.
  private var mostGames: Int { record != nil ? 100_000 : csv != nil ? 10_000_000 : 100_000_000 }

  func validate() throws {
    if let errorRate {
      guard untilDecided else {
        throw ValidationError("--error-rate is that of --until-decided: add that, or leave it out.")
      }
      guard 1e-9...0.5 ~= errorRate else {
        throw ValidationError("--error-rate must lie between 1e-9 and 0.5.")
      }
    }
    if let csv, let record, resolvedPath(csv) == resolvedPath(record) {
      throw ValidationError("--csv and --record both name \(csv); give each a file of its own.")
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
        "--games \(games) is too many for \(line.contestants.count) players: all together play at "
          + "most \(NumberText.grouped(mostGames))\(purpose)")
    }
    if untilDecided {
      guard line.groups.count == 1, line.contestants.count >= 2 else {
        throw Failure(
          .usage, "--until-decided takes two or more players, and no RUN@all")
      }
    }
    let received = ReceivedSignal()
    // Until the files are written: a signal must not take the games that were played.
    let watcher = SignalWatcher {
      received.recordOrExit($0)
      StandardError.shared.line(
        "stopping after the games under way; once more to stop at once")
    }
    defer { withExtendedLifetime(watcher) {} }
    var loader = PlayerLoader()
    let (result, contestants, signal) = try play(line, loader: &loader, until: received)
    // The report first, because the disk may be full.
    try show(result, contestants, isWhole: signal == nil)
    // Without a whole game, files of an earlier evaluation are worth more.
    if signal == nil || result.games > 0 {
      try writeFiles(result, rules: loader.rules ?? .standard)
    }
    if let signal { throw Failure(signal: signal) }
  }

  /// Writes what was asked for; one file that cannot be written does not keep the other from it.
  private func writeFiles(_ result: ArenaResult, rules: Rules) throws {
    let csvWriting = Result { if let csv { try writeAtomically(result.csv.utf8, to: csv) } }
    if let record { try GameRecordFile(result, rules: rules).write(to: record) }
    try csvWriting.get()
  }

  /// - Parameter isWhole: whether all games were played; those before a signal are no result, and go to
  ///   standard error.
  private func show(
    _ result: ArenaResult, _ contestants: [LineUp.Contestant], isWhole: Bool
  ) throws {
    var report = ArenaReport(result)
    for (place, contestant) in contestants.enumerated() {
      report.players[place].episodes = contestant.episodes
    }
    let text = ReportTable.text(report, isCurve: contestants.contains { $0.episodes != nil })
    if !isWhole {
      if result.games > 0 { StandardError.shared.line("the games up to then:\n" + text) }
    } else if output.json {
      try StandardOutput.json(report)
    } else {
      StandardOutput.line(text)
    }
    if (1..<EvaluateCommand.fewGames).contains(result.games) {
      StandardError.shared.line(
        "warning: \(result.games == 1 ? "one game says" : "\(result.games) games say") little, and "
          + "intervals of so few may be too short; play more with --games")
    }
  }

  /// Below so many games an interval may be too short: of 5 games of a greedy network it covers the mean in 89
  /// of 100 cases, of 8 in 95.
  private static let fewGames = 10

  /// Plays the groups one after the other, so that the networks of one at a time are in memory.
  ///
  /// What a contestant plays does not depend on the others, so the groups' results are those that one
  /// arena would have had.
  ///
  /// - Returns: the games, who played them, and the signal that ended them early, if one did; then they
  ///   are those that all contestants of a group have played.
  private func play(
    _ line: LineUp, loader: inout PlayerLoader, until received: ReceivedSignal
  ) throws -> (result: ArenaResult, contestants: [LineUp.Contestant], signal: Int32?) {
    let console = StandardError.shared
    let threads = threads ?? coreCount
    let meter = GamesMeter(total: games * line.contestants.count)
    // The first model decides the rules, for the players before it too.
    for group in line.groups where group.contains(where: { !$0.specification.models.isEmpty }) {
      if try loadModels(of: group, into: &loader) == nil { break }
    }
    var parts: [ArenaResult] = []
    var contestants: [LineUp.Contestant] = []
    var (gamesBefore, movesBefore) = (0, 0)
    for group in line.groups {
      if line.groups.count > 1 { loader.keepModels(of: group.map(\.specification)) }
      if let error = try loadModels(of: group, into: &loader) {
        console.line("warning: left out: \(error)")
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
      throw Failure(.missingInput, "all checkpoints are gone: is another program deleting them?")
    }
    return (
      parts.count == 1 ? parts[0] : ArenaResult(joining: parts), contestants, received.number
    )
  }

  /// - Returns: the error, if these are checkpoints that are gone: a run in training keeps the newest only.
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
