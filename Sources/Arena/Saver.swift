import Synchronization

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
