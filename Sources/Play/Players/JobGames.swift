import Basics
import Game2048
import ModelFiles
import NTupleNetwork
import Search
import Training

/// The games of `evaluate`, which all ranks of a job play.
///
/// Rank 0 names the players and reads their models. The other ranks ``follow(_:threads:shouldStop:)``: they
/// receive the networks, so they need no files but those of endgame tables.
///
/// Thread safety: one thread uses it.
package final class JobGames {
  private let ranks: any Communicator
  private let loop: RankLoop<Order, Done>
  /// The models whose networks all ranks have.
  private var shared: Set<String> = []

  /// What all ranks do next.
  private enum Order: Codable {
    /// Receive the networks that are new, and make the players.
    case prepare(Games)
    /// Play the games that were prepared last.
    case play
  }

  /// The games that all ranks play next.
  private struct Games: Codable {
    /// The players, each with the MODEL text of its network.
    var players: [PlayerSpecification]
    /// The MODEL texts of all networks; those that the other ranks have already are not sent again.
    var models: [String]
    var boardSize: Int
    var fourProbability: Double
    var games: Int
    var seed: UInt64
    var starts: [[UInt64]]
    var drawsStarts: Bool
    var isRecorded: Bool
    /// The numbers of the games of an earlier run, `[player]`.
    var earlier: [[Range<Int>]]

    var rules: Rules { Rules(size: boardSize, fourProbability: fourProbability) }
    var boards: StartBoards {
      StartBoards(
        starts.map { Board(planes: $0[0], highPlane: UInt16(truncatingIfNeeded: $0[1])) },
        areDrawn: drawsStarts)
    }
    /// The games of an earlier run; rank 0 alone has their results.
    var earlierGames: [[GameTable.Game]] {
      let unknown = GameResult(score: 0, moves: 0, largestExponent: 0, seconds: 0)
      return earlier.map { ranges in
        ranges.joined().map { GameTable.Game(number: $0, result: unknown) }
      }
    }
  }

  /// - Parameter ranks: The processes of the job, of which this one has rank 0.
  package init(_ ranks: any Communicator) {
    self.ranks = ranks
    loop = RankLoop(leading: ranks)
  }

  /// Plays games `0..<games` with every player, as `Arena.run` does with its contestants.
  ///
  /// - Parameters:
  ///   - starts: The boards to play from. With an error rate, each game draws its board; otherwise they take turns.
  ///   - errorRate: The error rate of a ``StoppingRule``; nil without one.
  ///   - earlier: Games of an earlier run, which are not played again, and the path of their file; nil for none.
  /// - Throws: `LocatedError` if a model or a table does not fit, or `earlier` has games of other weights, rules or
  ///   boards; ``JobFailure`` if a model or a table does not fit on another rank.
  package func run(
    _ players: [PlayerSpecification], _ factory: PlayerFactory, games: Int, seed: UInt64,
    threads: Int, starts: [Board], errorRate: Double?, isRecorded: Bool,
    earlier: (games: GameTable, path: String)? = nil,
    progress: @escaping @Sendable (Arena.Standing) -> Void,
    save: (@Sendable (_ games: GameTable, _ isLast: Bool) -> Void)? = nil,
    shouldStop: @Sendable () -> Bool
  ) throws -> ArenaResult {
    let starts = StartBoards(starts, areDrawn: errorRate != nil)
    let workers = min(threads, games * players.count)
    let contestants = try players.map { try factory.contestant($0, inParallel: workers) }
    let rules = factory.rules ?? .standard
    let earlierGames = try contestants.map { contestant in
      try earlier?.games.games(
        of: contestant.name, weights: contestant.weights, rules: rules, starts: starts,
        path: earlier!.path) ?? []
    }
    let resolved = try players.map(factory.resolved)
    let models = Set(resolved.compactMap(\.model)).sorted()
    let next = Games(
      players: resolved, models: models, boardSize: rules.size,
      fourProbability: rules.fourProbability,
      games: games, seed: seed, starts: starts.boards.map { [$0.planes, UInt64($0.highPlane)] },
      drawsStarts: starts.areDrawn, isRecorded: isRecorded,
      earlier: earlierGames.map(\.ranges))
    let newNetworks = try models.filter { !shared.contains($0) }.map { try factory.network($0) }
    _ = try loop.order(.prepare(next)) {
      for network in newNetworks { _ = try ranks.share(network) }
      try JobGames.requireMemory(for: next, factory, ranks, workers)
      return Done()
    }
    shared = Set(models)
    var result: ArenaResult?
    _ = loop.tell(.play) {
      result = Arena.run(
        contestants: contestants, games: games, seed: seed, threads: threads, rules: rules,
        stopping: errorRate.map { StoppingRule(players: players.count, errorRate: $0) },
        starts: starts, isRecorded: isRecorded, earlier: earlierGames, ranks: ranks,
        progress: progress, save: save, shouldStop: shouldStop)
      return Done()
    }
    return result!
  }

  /// Tells the other ranks that there are no further games.
  package func end() { loop.end() }

  /// Plays as a rank other than 0, until rank 0 has no further games.
  ///
  /// - Parameter shouldStop: Whether this rank asks all ranks to end.
  /// - Throws: ``JobFailure``, which all ranks throw, if a network or a table does not fit into memory.
  package static func follow(
    _ ranks: any Communicator, threads: Int, shouldStop: @Sendable () -> Bool
  ) throws {
    var factory: PlayerFactory?
    var known: Set<String> = []
    var prepared: (games: Games, contestants: [Contestant])?
    try RankLoop<Order, Done>.follow(ranks) { order in
      switch order {
      case .prepare(let next):
        // All games of a job have the same rules.
        let players = factory ?? PlayerFactory(rules: next.rules)
        factory = players
        try players.keepModels(of: next.players)
        for model in next.models where !known.contains(model) {
          players.add(try ranks.share(nil), as: model)
        }
        known = Set(next.models)
        let workers = min(threads, next.games * next.players.count)
        try requireMemory(for: next, players, ranks, workers)
        prepared = (next, try next.players.map { try players.contestant($0, inParallel: workers) })
      case .play:
        let (games, contestants) = prepared!
        _ = Arena.run(
          contestants: contestants, games: games.games, seed: games.seed, threads: threads,
          rules: games.rules, starts: games.boards, isRecorded: games.isRecorded,
          earlier: games.earlierGames, ranks: ranks, shouldStop: shouldStop)
      }
      return Done()
    }
  }
}

extension JobGames {
  /// Requires that the machines have the memory of the players of all ranks on them. All ranks call it together.
  private static func requireMemory(
    for next: Games, _ players: PlayerFactory, _ ranks: any Communicator, _ workers: Int
  ) throws {
    let bytes = try ranks.together {
      try players.byteCount(of: next.players, inParallel: workers)
    }[ranks.rank]
    try ranks.requireMemory(bytes, for: "the tables of the players")
  }
}

extension [GameTable.Game] {
  /// The ranges of the numbers, which increase.
  fileprivate var ranges: [Range<Int>] {
    reduce(into: []) { ranges, game in
      if let last = ranges.last, last.upperBound == game.number {
        ranges[ranges.count - 1] = last.lowerBound..<game.number + 1
      } else {
        ranges.append(game.number..<game.number + 1)
      }
    }
  }
}

extension Communicator {
  /// Gives all ranks the network of rank 0, and returns it. All ranks call it together.
  ///
  /// - Parameter network: The network on rank 0; ignored on the others.
  /// - Throws: ``JobFailure`` if it does not fit into the memory of a machine.
  func share(_ network: (any PlayableNetwork)?) throws -> any PlayableNetwork {
    if let network, size == 1 { return network }
    let fields: [String: String] = broadcast(
      try network.map { try $0.encoded(format: "", for: "network") })
    let description = MetadataFields(path: "the network of rank 0", metadata: fields)
    let shape = try description.shape()
    let offsets = try description.levelOffsets(shape)
    let scales: [FrozenNetwork.Scale] = broadcast(
      network.map { ($0 as? FrozenNetwork)?.scales ?? [] })
    let byteCount = scales.isEmpty ? shape.byteCount : FrozenNetwork.byteCount(of: shape)
    try requireMemory(isLeader ? 0 : byteCount, for: "the network's weights")
    guard scales.isEmpty else {
      let network =
        network as? FrozenNetwork ?? FrozenNetwork(shape, scales: scales, levelOffsets: offsets)
      unsafe network.withBytes { unsafe broadcast($0) }
      return network
    }
    let weights = network?.thawed() ?? NTupleNetwork(shape)
    weights.levelOffsets = offsets
    broadcast(weights.weights)
    return weights
  }
}

/// The evaluations that a training run makes of itself.
package enum GreedyEvaluation {
  /// Plays the games greedily, without learning.
  ///
  /// - Returns: nil if the games were stopped before the last one.
  package static func play(_ games: EvaluationGames) -> TrainingReport.Evaluation? {
    let contestant = LevelGames.contestant(games.network, rules: games.rules, games.levels)
    let report = ArenaReport(
      Arena.run(
        contestants: [contestant], games: games.count, seed: games.seed, threads: games.threads,
        rules: games.rules, shouldStop: games.shouldStop))
    guard report.games == games.count else { return nil }
    let score = report.players[0].score
    return TrainingReport.Evaluation(
      games: report.games, meanScore: score.mean, ci95: score.ci95.low...score.ci95.high)
  }
}
