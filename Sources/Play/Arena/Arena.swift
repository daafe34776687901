import Basics
import Dispatch
import Game2048
import Search

/// Plays numbered games with several contestants; in each game all meet the same random spawns.
public enum Arena {
  /// The progress of an arena run.
  public struct Standing: Hashable, Sendable {
    /// The games finished, over all contestants.
    public let gamesDone: Int
    /// Those of them that were not finished by an earlier run.
    public let gamesPlayed: Int
    /// The games to play, over all contestants.
    public let gamesTotal: Int
    /// The moves of all finished games and of the games in progress.
    public let moves: Int
  }

  /// The shortest time between two progress reports.
  static let progressInterval = Duration.milliseconds(100)
  /// The longest time between two progress reports, in seconds: a slow player's game takes many minutes.
  private static let longestInterval = 1.0

  /// Plays games `0..<games` with every contestant, on several threads.
  ///
  /// The games depend only on the contestants, the seed and the rules, not on the number of threads. The
  /// exceptions are contestants that depend on time or, with several threads each, on scheduling.
  ///
  /// - Parameters:
  ///   - contestants: The contestants; each plays all games.
  ///   - games: The number of games per contestant.
  ///   - seed: The seed of the spawns.
  ///   - threads: The number of threads that play games.
  ///   - rules: The rules of the games.
  ///   - stopping: A rule that ends the run early, as soon as it has decided every comparison. Its error rate holds for
  ///     whole games, and for boards that are drawn.
  ///   - starts: The boards to play from. A legal move exists on each.
  ///   - isRecorded: Whether the results contain the records of the games, which must be whole games.
  ///   - earlier: Games of an earlier run with the same seed, rules and starts, `[contestant]`; empty for none. They are
  ///     not played again.
  ///   - ranks: The processes of the job, which share the games. All of them call this together, with the
  ///     same arguments up to `threads`, `progress`, `save` and `shouldStop`, and all of them return all games. One rank
  ///     is enough for the results of `earlier` and for `stopping`.
  ///   - progress: Called from time to time and when all games are finished, never concurrently.
  ///   - save: Called every few seconds if further games are finished, and at the end, with all games so far; never
  ///     concurrently. If it takes long, it is called less often.
  ///   - shouldStop: Called before every game on every thread. Once it returns true, games in progress are
  ///     finished, and the result contains the games that all contestants have played.
  /// - Precondition: `contestants` is not empty, `games` is not negative, `threads` is at least 1; `earlier` has one list
  ///   per contestant, of games below `games`.
  public static func run(
    contestants: [Contestant], games: Int, seed: UInt64, threads: Int, rules: Rules = .standard,
    stopping: StoppingRule? = nil, starts: StartBoards = .none, isRecorded: Bool = false,
    earlier: [[GameTable.Game]] = [], ranks: any Communicator = SoleProcess(),
    progress: (@Sendable (Standing) -> Void)? = nil,
    save: (@Sendable (_ games: GameTable, _ isLast: Bool) -> Void)? = nil,
    shouldStop: @Sendable () -> Bool = { false }
  ) -> ArenaResult {
    precondition(!contestants.isEmpty, "an arena needs a contestant")
    precondition(games >= 0, "the number of games cannot be negative")
    precondition(
      earlier.isEmpty || earlier.count == contestants.count, "earlier games of every contestant")
    let items = games * contestants.count
    let workers = max(1, min(threads, items))
    let board = Scoreboard(
      contestants: contestants.count, items: items, workers: workers, stopping: stopping,
      earlier: earlier, progress: progress)
    let saver = save.map { save in
      Saver(games: board.done) {
        save(board.table(seed: seed, rules: rules, of: contestants), false)
      }
    }
    let queue = DispatchQueue(label: "learn2048.arena")
    let isWatched = progress != nil || save != nil
    let timer = isWatched ? DispatchSource.makeTimerSource(queue: queue) : nil
    timer?.schedule(deadline: .now() + longestInterval, repeating: longestInterval)
    timer?.setEventHandler {
      board.showProgress()
      saver?.saveIfDue(games: board.done)
    }
    timer?.activate()
    let start = { @Sendable (item: Int) -> Board? in
      starts.board(ofGame: item / contestants.count, seed: seed)
    }
    let play = { @Sendable (item: Int, worker: Int) in
      let contestant = contestants[item % contestants.count]
      let spawns = GameSpawns(seed: seed, game: item / contestants.count)
      let player = contestant.makePlayer(spawns.playerSeed)
      defer { board.underWay[worker].set(0) }
      return GameResult(
        of: player, start: start(item), spawns: spawns, rules: rules, isRecorded: isRecorded,
        underWay: board.underWay[worker])
    }
    if ranks.size == 1 {
      WorkerThreads.run(count: workers) { worker, _ in
        // The order is game by game, so that after an early stop all contestants have played the same games.
        // Items are claimed in order and every claimed item is finished, so no item before a finished one is missing.
        while !shouldStop(), let item = board.claim() {
          board.record(play(item, worker), item: item)
        }
      }
    } else {
      let exchange = GameExchange(workers: workers)
      WorkerThreads.run(count: workers + 1) { worker, threads in
        precondition(threads > 1, "no thread for the games")
        if worker == threads - 1 {
          exchange.run(ranks, on: board, items: items, start: start, shouldStop: shouldStop)
        } else {
          while let item = exchange.claim() { exchange.finish(play(item, worker), item: item) }
        }
      }
    }
    timer?.cancel()
    // A call in progress is the last one.
    queue.sync {}
    save?(board.table(seed: seed, rules: rules, of: contestants), true)
    return board.result(seed: seed, of: contestants)
  }
}

/// A participant of an arena run: a name, and a function that makes a new player for every game.
public struct Contestant: Sendable {
  /// The name in tables and reports.
  public let name: String
  /// The checksum of the weights of its network; nil without one.
  public let weights: String?

  /// Makes the player for one game; called on the thread that plays the game.
  public let makePlayer: @Sendable (_ gameSeed: UInt64) -> any Player

  public init(
    name: String, weights: String? = nil,
    makePlayer: @escaping @Sendable (_ gameSeed: UInt64) -> any Player
  ) {
    self.name = name
    self.weights = weights
    self.makePlayer = makePlayer
  }
}

/// The results of an arena run.
public struct ArenaResult: Sendable {
  /// The seed of the spawns.
  public let seed: UInt64
  /// The contestants' names.
  public let contestants: [String]
  /// The checksums of the weights of the contestants' networks; nil for those without one.
  public let weights: [String?]
  /// The results, `[contestant][game]`; all contestants have played the same games.
  public let results: [[GameResult]]
  /// The stopping rule after the last game that it judged; nil if the run had none.
  public let stopping: StoppingRule?

  /// The number of games that every contestant has played.
  public var games: Int { results.first?.count ?? 0 }

  /// Creates the results of a run.
  ///
  /// - Parameters:
  ///   - seed: The seed of the spawns.
  ///   - contestants: The contestants' names.
  ///   - weights: The checksums of the weights of the contestants' networks; nil for none at all.
  ///   - results: The results, `[contestant][game]`.
  ///   - stopping: The stopping rule after the last game that it judged; nil if the run had none.
  /// - Precondition: There is one list of results per contestant, and all lists have the same length.
  public init(
    seed: UInt64, contestants: [String], weights: [String?]? = nil, results: [[GameResult]],
    stopping: StoppingRule? = nil
  ) {
    let weights = weights ?? contestants.map { _ in nil }
    precondition(contestants.count == results.count, "one list of results for each contestant")
    precondition(contestants.count == weights.count, "one checksum or nil for each contestant")
    precondition(Set(results.map(\.count)).count <= 1, "all contestants play the same games")
    self.seed = seed
    self.contestants = contestants
    self.weights = weights
    self.results = results
    self.stopping = stopping
  }

  /// Joins the results of several runs as if all their contestants had played in one.
  ///
  /// - Parameter parts: The results, from runs with the same rules.
  /// - Precondition: `parts` is not empty, and all parts have the same seed and number of games.
  public init(joining parts: [ArenaResult]) {
    precondition(Set(parts.map(\.seed)).count == 1, "one seed for all")
    self.init(
      seed: parts[0].seed, contestants: parts.flatMap(\.contestants),
      weights: parts.flatMap(\.weights), results: parts.flatMap(\.results))
  }
}

/// A rule that ends an arena run once every comparison is decided.
///
/// Each of the `k` pairs of players has a `SequentialTest` with error rate α/k, so that all verdicts are
/// correct with probability at least 1 − α. Games are judged in order of their numbers, not in the order in
/// which threads finish them. The number of games played therefore does not depend on the threads.
public struct StoppingRule: Sendable {
  /// The decision about one pair of players.
  public struct Decision: Hashable, Sendable {
    /// The index of the first player.
    public let a: Int
    /// The index of the second player.
    public let b: Int
    /// The index of the better player; nil if the comparison is undecided.
    public internal(set) var better: Int?
    /// The number of games after which the comparison was decided; nil if it is undecided.
    public internal(set) var games: Int?
  }

  /// The upper bound of the probability that any verdict is wrong, α.
  public let errorRate: Double
  /// The decisions on all pairs of players, in the order (0, 1), (0, 2), …
  public private(set) var decisions: [Decision] = []
  private var tests: [SequentialTest] = []
  /// The number of games judged so far.
  public private(set) var games = 0

  /// Creates a rule for a number of players.
  ///
  /// - Precondition: `players` is at least 2; `errorRate` is above 0 and below 1.
  public init(players: Int, errorRate: Double) {
    precondition(players >= 2, "a comparison takes two players")
    self.errorRate = errorRate
    decisions = pairs(players).map { Decision(a: $0, b: $1) }
    tests = decisions.map { _ in SequentialTest(errorRate: errorRate / Double(decisions.count)) }
  }

  /// Whether all comparisons are decided.
  public var isDecided: Bool { decisions.allSatisfy { $0.games != nil } }

  /// Judges the next game, given the score of each player.
  mutating func add(_ scores: [Int]) {
    games += 1
    for (place, pair) in decisions.enumerated() where pair.games == nil {
      tests[place].add(Double(scores[pair.a] - scores[pair.b]))
      if tests[place].verdict == .undecided { continue }
      decisions[place].better = tests[place].verdict == .positive ? pair.a : pair.b
      decisions[place].games = games
    }
  }
}
