import Basics
import Foundation
import Game2048
import Play

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
    files: GameFiles, loader: inout PlayerLoader, ranks: any Communicator
  ) throws -> (result: ArenaResult, entrants: [Entrant], signal: Int32?) {
    let console = StandardError.shared
    let threads = threads ?? coreCount
    let job = JobGames(ranks)
    let players = groups.joined().map(\.player)
    func earlierCount(_ players: [PlayerSpecification]) -> Int {
      players.reduce(0) { $0 + (earlier?.player(named: $1.description)?.games.count ?? 0) }
    }
    let meter = GamesMeter(total: games * players.count, earlier: earlierCount(players))
    // The first model determines the rules, including those of players before it.
    for group in groups where group.contains(where: { !$0.player.models.isEmpty }) {
      if try loadModels(of: group, into: &loader) == nil { break }
    }
    let starts = try starts?.map { try $0.board(loader.rules ?? .standard) } ?? []
    var parts: [ArenaResult] = []
    var entrants: [Entrant] = []
    var (gamesBefore, playedBefore, movesBefore) = (0, 0, 0)
    var signal: Int32?
    for (place, group) in groups.enumerated() {
      if groups.count > 1 { loader.keepModels(of: group.map(\.player)) }
      if let error = try loadModels(of: group, into: &loader) {
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
        group.map(\.player), &loader, games: games, seed: UInt64(seed), threads: threads,
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
      signal = SignalWatcher.received ?? (isCut ? SIGTERM : nil)
      // The groups before a stop have played more games than the one that it ended.
      if isCut, !parts.isEmpty { break }
      parts.append(part)
      entrants += group
      gamesBefore += games * group.count
      playedBefore += games * group.count - earlierCount(group.map(\.player))
      movesBefore += part.results.joined().reduce(0) { $0 + $1.moves }
      if signal != nil { break }
    }
    guard !parts.isEmpty else {
      throw Failure(
        .missingInput,
        "all checkpoints have been deleted. Check whether another program deletes them.")
    }
    job.end()
    Job.end()
    let result = parts.count == 1 ? parts[0] : ArenaResult(joining: parts)
    return (result, entrants, signal)
  }

  /// Loads the models of a group.
  ///
  /// - Returns: the error if these are checkpoints that have been deleted meanwhile, since a run in training
  ///   keeps only the newest; nil otherwise.
  private func loadModels(
    of group: [Entrant], into loader: inout PlayerLoader
  ) throws -> LocatedError? {
    do {
      try loader.loadModels(of: group.map(\.player))
      return nil
    } catch let error as LocatedError
      where error.kind == .missingInput && group.allSatisfy({ $0.episodes != nil })
    {
      return error
    }
  }
}
