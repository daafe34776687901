import Game2048
import Synchronization

/// Hands out work items and collects their results. All members may be called from any thread.
///
/// Item `i` is game `i / contestants` of contestant `i % contestants`.
final class Scoreboard: Sendable {
  private struct State {
    /// The results by item, up to the last finished one; nil for items in progress.
    var results: [GameResult?]
    var done: Int
    /// The moves of the finished games.
    var moves: Int
    /// The function that receives progress reports.
    var progress: (@Sendable (Arena.Standing) -> Void)?
    var lastReport: ContinuousClock.Instant
    /// The first unfinished item that has not been judged.
    var firstOpen = 0
    var stopping: StoppingRule?
  }

  private let contestants: Int
  private let items: Int
  /// Whether an earlier run has finished an item; false beyond the end.
  private let isEarlier: [Bool]
  private let earlierCount: Int
  private let next = Atomic<Int>(0)
  private let isDecided = Atomic<Bool>(false)
  private let state: Mutex<State>

  /// Whether the stopping rule has decided every comparison.
  var hasDecided: Bool { isDecided.load(ordering: .relaxed) }

  /// The number of finished items.
  var done: Int { state.withLock(\.done) }

  /// The moves of each worker's current game, and those of the current games of other ranks.
  let underWay: [MoveCount]

  /// - Parameter earlier: The games of an earlier run, `[contestant]`; empty for none.
  init(
    contestants: Int, items: Int, workers: Int, stopping: StoppingRule?,
    earlier: [[GameTable.Game]], progress: (@Sendable (Arena.Standing) -> Void)?
  ) {
    self.contestants = contestants
    self.items = items
    underWay = (0...workers).map { _ in MoveCount() }
    let end = earlier.compactMap { $0.last?.number }.max().map { $0 + 1 } ?? 0
    precondition(end * contestants <= items, "earlier games are some of these games")
    var results = [GameResult?](repeating: nil, count: end * contestants)
    for (contestant, games) in earlier.enumerated() {
      for game in games { results[game.number * contestants + contestant] = game.result }
    }
    isEarlier = results.map { $0 != nil }
    earlierCount = earlier.joined().count
    state = Mutex(
      State(
        results: results, done: earlierCount,
        moves: earlier.joined().reduce(0) { $0 + $1.result.moves }, progress: progress,
        lastReport: ContinuousClock.now, stopping: stopping))
    state.withLock { judge(&$0) }
  }

  /// Claims the next item; returns nil if none is left or no further one is needed.
  func claim() -> Int? {
    while !hasDecided {
      let item = next.add(1, ordering: .relaxed).oldValue
      guard item < items else { return nil }
      if isOpen(item) { return item }
    }
    return nil
  }

  /// Returns whether an earlier run has left an item.
  func isOpen(_ item: Int) -> Bool { item >= isEarlier.count || !isEarlier[item] }

  /// Stores the result of an item, and reports progress if a report is due.
  func record(_ result: GameResult, item: Int) {
    state.withLock { state in
      while state.results.count <= item { state.results.append(nil) }
      state.results[item] = result
      state.done += 1
      state.moves += result.moves
      judge(&state)
      let elapsed = ContinuousClock.now - state.lastReport
      if state.done == items || elapsed >= Arena.progressInterval { showProgress(&state) }
    }
  }

  /// Reports progress.
  func showProgress() {
    state.withLock { showProgress(&$0) }
  }

  private func showProgress(_ state: inout State) {
    guard let progress = state.progress else { return }
    state.lastReport = ContinuousClock.now
    progress(
      Arena.Standing(
        gamesDone: state.done, gamesPlayed: state.done - earlierCount, gamesTotal: items,
        moves: underWay.reduce(state.moves) { $0 + $1.value }))
  }

  /// Passes the games that all contestants have now finished to the stopping rule, in their order.
  private func judge(_ state: inout State) {
    while state.firstOpen < state.results.count, state.results[state.firstOpen] != nil {
      state.firstOpen += 1
      guard state.firstOpen % contestants == 0, state.stopping?.isDecided == false else { continue }
      let game = (state.firstOpen - contestants)..<state.firstOpen
      state.stopping?.add(game.map { state.results[$0]!.score })
      if state.stopping?.isDecided == true { isDecided.store(true, ordering: .relaxed) }
    }
  }

  /// Returns all finished games.
  func table(seed: UInt64, rules: Rules, of contestants: [Contestant]) -> GameTable {
    let results = state.withLock(\.results)
    var table = GameTable(seed: seed, rules: rules)
    table.players = contestants.enumerated().map { place, contestant in
      let games = stride(from: place, to: results.count, by: contestants.count).compactMap { item in
        results[item].map { GameTable.Game(number: item / contestants.count, result: $0) }
      }
      return GameTable.Player(name: contestant.name, weights: contestant.weights, games: games)
    }
    return table
  }

  /// Returns the games that all contestants have played, up to the one that decided the stopping rule.
  func result(seed: UInt64, of contestants: [Contestant]) -> ArenaResult {
    state.withLock { state in
      let complete = state.firstOpen / contestants.count
      let games = state.stopping.map { $0.isDecided ? $0.games : complete } ?? complete
      let results = contestants.indices.map { contestant in
        (0..<games).map { state.results[$0 * contestants.count + contestant]! }
      }
      return ArenaResult(
        seed: seed, contestants: contestants.map(\.name), weights: contestants.map(\.weights),
        results: results, stopping: state.stopping)
    }
  }
}

/// The number of moves played so far in a game, readable by other threads.
final class MoveCount: Sendable {
  private let count = Atomic<Int>(0)

  /// The number of moves between two updates of the count, so that fast games rarely update it.
  static let interval = 16

  var value: Int { count.load(ordering: .relaxed) }

  func set(_ moves: Int) { count.store(moves, ordering: .relaxed) }
}

/// Saves the games so far, at intervals that grow with the time that a save takes.
///
/// Thread safety: one thread at a time uses it.
final class Saver: Sendable {
  private struct State {
    var next: ContinuousClock.Instant
    var games: Int
  }

  /// The shortest time between two saves.
  static let interval = Duration.seconds(5)
  /// The time until the next save is at least this many times the duration of the last one.
  private static let leastRatio = 50

  private let interval: Duration
  private let save: @Sendable () -> Void
  private let state: Mutex<State>

  /// - Parameter games: The number of games that are saved already.
  init(games: Int, interval: Duration = Saver.interval, save: @escaping @Sendable () -> Void) {
    self.interval = interval
    self.save = save
    state = Mutex(State(next: .now + interval, games: games))
  }

  /// Saves if there are more games than at the last time, and enough time has passed.
  func saveIfDue(games: Int) {
    let isDue = state.withLock { state in
      guard games > state.games, ContinuousClock.now >= state.next else { return false }
      state.games = games
      return true
    }
    guard isDue else { return }
    let began = ContinuousClock.now
    save()
    let elapsed = began.duration(to: .now)
    state.withLock { $0.next = .now + max(interval, elapsed * Saver.leastRatio) }
  }
}
