import Synchronization

/// Hands out work items and collects their results. Any thread may call it.
///
/// Item `i` is game `i / contestants` of contestant `i % contestants`.
final class Scoreboard: Sendable {
  private struct State {
    /// Those of the items up to the last one that is done.
    var results: [GameResult?] = []
    var done = 0
    var lastReport: ContinuousClock.Instant
    /// The items before it are done.
    var firstOpen = 0
    var stopping: StoppingRule?
  }

  private let contestants: Int
  private let items: Int
  private let next = Atomic<Int>(0)
  private let isDecided = Atomic<Bool>(false)
  private let state: Mutex<State>

  init(contestants: Int, items: Int, stopping: StoppingRule?) {
    self.contestants = contestants
    self.items = items
    state = Mutex(
      State(lastReport: ContinuousClock.now, stopping: stopping))
  }

  /// The next item that nobody has claimed, or nil if there is none or no more is needed.
  func claim() -> Int? {
    if isDecided.load(ordering: .relaxed) { return nil }
    let item = next.add(1, ordering: .relaxed).oldValue
    return item < items ? item : nil
  }

  func record(_ result: GameResult, item: Int, progress: (Arena.Progress) -> Void) {
    state.withLock { state in
      while state.results.count <= item { state.results.append(nil) }
      state.results[item] = result
      state.done += 1
      judge(&state)
      let now = ContinuousClock.now
      if state.done == items || now - state.lastReport >= Arena.progressInterval {
        state.lastReport = now
        progress(Arena.Progress(gamesDone: state.done, gamesTotal: items))
      }
    }
  }

  /// Lets the stopping rule see the games that have become whole, in their order.
  private func judge(_ state: inout State) {
    while state.firstOpen < state.results.count, state.results[state.firstOpen] != nil {
      state.firstOpen += 1
      guard state.firstOpen % contestants == 0, state.stopping?.isDecided == false else { continue }
      let game = (state.firstOpen - contestants)..<state.firstOpen
      state.stopping?.add(game.map { state.results[$0]!.score })
      if state.stopping?.isDecided == true { isDecided.store(true, ordering: .relaxed) }
    }
  }

  /// The games that all contestants have played, up to the one that decided all.
  func result(seed: UInt64, names: [String]) -> ArenaResult {
    state.withLock { state in
      let whole = state.firstOpen / contestants
      let games = state.stopping.map { $0.isDecided ? $0.games : whole } ?? whole
      let results = (0..<contestants).map { contestant in
        (0..<games).map { state.results[$0 * contestants + contestant]! }
      }
      return ArenaResult(
        seed: seed, contestants: names, results: results, stopping: state.stopping)
    }
  }
}
