import Basics
import Dispatch
import Game2048
import Ranks

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
