import Basics
import Dispatch
import Game2048
import Synchronization

/// Plays numbered games with several contestants, each game with the same luck for all.
public enum Arena {
  /// How far a run has come.
  public struct Progress: Hashable, Sendable {
    /// Games played by all contestants together.
    public let gamesDone: Int
    /// Games to play by all contestants together.
    public let gamesTotal: Int
    /// Moves of the games played, and of those under way.
    public let moves: Int
  }

  /// The shortest time between two reports of progress.
  static let progressInterval = Duration.milliseconds(100)
  /// The longest, in seconds: a game of a slow player takes many minutes.
  private static let longestInterval = 1.0

  /// Plays games `0..<games` with every contestant, on several threads.
  ///
  /// What is played depends on the contestants, the seed and the rules alone, not on the threads; but for
  /// contestants who themselves depend on time or on how their threads meet.
  ///
  /// - Parameters:
  ///   - stopping: ends the games early, as soon as it is decided.
  ///   - isRecorded: whether the results hold the games' records.
  ///   - progress: called now and then, and when all games are done, one call at a time.
  ///   - shouldStop: asked before every game on every thread; once it says yes the games that are
  ///     being played are finished, and the result holds those that all contestants have played.
  /// - Precondition: `contestants` is not empty, `games` is not negative, `threads` is at least 1.
  public static func run(
    contestants: [Contestant], games: Int, seed: UInt64, threads: Int, rules: Rules = .standard,
    stopping: StoppingRule? = nil, isRecorded: Bool = false,
    progress: (@Sendable (Progress) -> Void)? = nil,
    shouldStop: @Sendable () -> Bool = { false }
  ) -> ArenaResult {
    precondition(!contestants.isEmpty, "an arena needs a contestant")
    precondition(games >= 0, "the number of games cannot be negative")
    let items = games * contestants.count
    let workers = max(1, min(threads, items))
    let board = Scoreboard(
      contestants: contestants.count, items: items, workers: workers, stopping: stopping,
      progress: progress)
    let timer = progress.map { _ in
      let timer = DispatchSource.makeTimerSource()
      timer.schedule(deadline: .now() + longestInterval, repeating: longestInterval)
      timer.setEventHandler { board.showProgress() }
      timer.activate()
      return timer
    }
    WorkerThreads.run(count: workers) { worker, _ in
      // Game by game, not contestant by contestant, so that an early stop leaves whole games. Items
      // are claimed in order and every claimed one is finished, so those done are a prefix.
      while !shouldStop(), let item = board.claim() {
        let game = item / contestants.count
        let contestant = contestants[item % contestants.count]
        let spawns = GameSpawns(seed: seed, game: game)
        let player = contestant.makePlayer(spawns.playerSeed)
        board.record(
          GameResult(
            of: player, spawns: spawns, rules: rules, isRecorded: isRecorded,
            underWay: board.underWay[worker]),
          item: item, worker: worker)
      }
    }
    timer?.cancel()
    board.endProgress()
    return board.result(seed: seed, names: contestants.map(\.name))
  }
}
