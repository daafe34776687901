import Synchronization

/// Hands episodes to workers and takes in their results, until it is time to meet at a barrier.
///
/// Thread safety: every method may be called from any thread.
public final class EpisodeLedger: Sendable {
  /// What the ledger knows at one moment.
  public struct Snapshot: Sendable {
    /// Episodes finished since the run began.
    public var episodes = 0
    /// Moves of those episodes.
    public var moves = 0
    /// The episodes since the last report.
    public var sinceReport = EpisodeStatistics()

    public init(episodes: Int = 0, moves: Int = 0, sinceReport: EpisodeStatistics = .init()) {
      self.episodes = episodes
      self.moves = moves
      self.sinceReport = sinceReport
    }
  }

  private struct State {
    var snapshot = Snapshot()
    var claimed = 0
    /// The episodes claimed when the way was opened.
    var opened = 0
    var limit = 0
    var deadline: SuspendingClock.Instant?
    var moveLimit = 0
  }

  private let state: Mutex<State>
  private let stopRequest = Atomic<Bool>(false)

  /// A ledger that goes on from `snapshot`.
  public init(from snapshot: Snapshot = Snapshot()) {
    var state = State()
    state.snapshot = snapshot
    state.claimed = snapshot.episodes
    self.state = Mutex(state)
  }

  /// Opens the way to the next barrier: episode `limit` of the run, or the first episode to end
  /// after `deadline` of ``RunClock`` or with `moveLimit` moves of the run; one episode is played even if these have
  /// passed.
  public func open(
    until limit: Int, deadline: SuspendingClock.Instant?, moveLimit: Int = .max
  ) {
    state.withLock {
      $0.claimed = $0.snapshot.episodes
      $0.opened = $0.claimed
      $0.limit = limit
      $0.deadline = deadline
      $0.moveLimit = moveLimit
    }
  }

  /// The number of the next episode to play, counted from 0, or nil if the worker is to meet the
  /// others.
  public func claim() -> Int? {
    if stopRequest.load(ordering: .relaxed) { return nil }
    return state.withLock { state in
      if state.claimed >= state.limit { return nil }
      if state.snapshot.moves >= state.moveLimit, state.claimed > state.opened { return nil }
      if let deadline = state.deadline, state.claimed > state.opened, RunClock.now >= deadline {
        return nil
      }
      defer { state.claimed += 1 }
      return state.claimed
    }
  }

  /// Takes in the result of an episode.
  public func record(_ result: EpisodeResult) {
    state.withLock {
      $0.snapshot.episodes += 1
      $0.snapshot.moves += result.moves
      $0.snapshot.sinceReport.add(result)
    }
  }

  /// Asks all workers to meet after the episodes that they are playing.
  public func requestStop() {
    stopRequest.store(true, ordering: .relaxed)
  }

  /// Whether ``requestStop()`` has been called.
  public var isStopRequested: Bool { stopRequest.load(ordering: .relaxed) }

  /// Where the run stands.
  public var snapshot: Snapshot { state.withLock { $0.snapshot } }

  /// Starts the next report's sums.
  public func beginReport() {
    state.withLock { $0.snapshot.sinceReport = EpisodeStatistics() }
  }
}
