import Game2048
import Search
import Synchronization

/// Plays numbered games with several contestants, each game with the same luck for all.
public enum Arena {
  /// How far a run has come.
  public struct Progress: Hashable, Sendable {
    /// Games played by all contestants together.
    public let gamesDone: Int
    /// Games to play by all contestants together.
    public let gamesTotal: Int
  }

  /// The shortest time between two reports of progress.
  static let progressInterval = Duration.milliseconds(100)

  /// Plays games `0..<games` with every contestant, on several threads.
  ///
  /// What is played depends on the contestants, the seed and the rules alone, not on the threads.
  ///
  /// - Parameters:
  ///   - progress: called now and then, and when all games are done, by one thread at a time.
  ///   - shouldStop: asked before every game on every thread; once it says yes the games that are
  ///     being played are finished, and the result holds those that all contestants have played.
  /// - Precondition: `contestants` is not empty, `games` is not negative, `threads` is at least 1.
  public static func run(
    contestants: [Contestant], games: Int, seed: UInt64, threads: Int, rules: Rules = .standard,
    progress: @Sendable (Progress) -> Void = { _ in },
    shouldStop: @Sendable () -> Bool = { false }
  ) -> ArenaResult {
    precondition(!contestants.isEmpty, "an arena needs a contestant")
    precondition(games >= 0, "the number of games cannot be negative")
    let items = games * contestants.count
    let board = Scoreboard(items: items)
    WorkerThreads.run(count: max(1, min(threads, items))) { _ in
      // Game by game, not contestant by contestant, so that an early stop leaves whole games. Items
      // are claimed in order and every claimed one is finished, so those done are a prefix.
      while !shouldStop(), let item = board.claim() {
        let game = item / contestants.count
        let contestant = contestants[item % contestants.count]
        let spawns = GameSpawns(seed: seed, game: game)
        let player = contestant.makePlayer(spawns.playerSeed)
        board.record(
          GameResult(of: player, spawns: spawns, rules: rules), item: item, progress: progress)
      }
    }
    return ArenaResult(
      seed: seed, contestants: contestants.map(\.name),
      results: board.resultsByContestant(contestants.count))
  }
}

/// The results of an arena's games.
public struct ArenaResult: Sendable {
  public let seed: UInt64
  /// The contestants' names.
  public let contestants: [String]
  /// The results, `[contestant][game]`; all contestants have played the same games.
  public let results: [[GameResult]]

  /// The number of games that every contestant has played.
  public var games: Int { results.first?.count ?? 0 }

  /// - Precondition: there is one list for each contestant, and all are of one length.
  public init(seed: UInt64, contestants: [String], results: [[GameResult]]) {
    precondition(contestants.count == results.count, "one list of results for each contestant")
    precondition(Set(results.map(\.count)).count <= 1, "all contestants play the same games")
    self.seed = seed
    self.contestants = contestants
    self.results = results
  }
}

/// Hands out work items and collects their results. Any thread may call it.
private final class Scoreboard: Sendable {
  private struct State {
    var results: [GameResult?]
    var done = 0
    var lastReport: ContinuousClock.Instant
  }

  private let items: Int
  private let next = Atomic<Int>(0)
  private let state: Mutex<State>

  init(items: Int) {
    self.items = items
    state = Mutex(
      State(results: Array(repeating: nil, count: items), lastReport: ContinuousClock.now))
  }

  /// The next item that nobody has claimed, or nil if there is none.
  func claim() -> Int? {
    let item = next.add(1, ordering: .relaxed).oldValue
    return item < items ? item : nil
  }

  func record(_ result: GameResult, item: Int, progress: (Arena.Progress) -> Void) {
    state.withLock { state in
      state.results[item] = result
      state.done += 1
      let now = ContinuousClock.now
      if state.done == items || now - state.lastReport >= Arena.progressInterval {
        state.lastReport = now
        progress(Arena.Progress(gamesDone: state.done, gamesTotal: items))
      }
    }
  }

  func resultsByContestant(_ contestants: Int) -> [[GameResult]] {
    state.withLock { state in
      let games = state.results.prefix { $0 != nil }.count / contestants
      return (0..<contestants).map { contestant in
        (0..<games).map { state.results[$0 * contestants + contestant]! }
      }
    }
  }
}
