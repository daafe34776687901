import Synchronization

/// A ledger that hands out episodes to workers and adds up their results, up to the next barrier.
///
/// Thread safety: every method may be called from any thread.
public final class EpisodeLedger: Sendable {
  /// The state of a ledger at one moment.
  public struct Snapshot: Sendable {
    /// The number of episodes finished since the run began.
    public var episodes = 0
    /// The number of moves of these episodes.
    public var moves = 0
    /// The statistics of the episodes since the last report.
    public var sinceReport = EpisodeStatistics()
    /// The statistics of the episodes that this process has played since the last barrier.
    package var sinceOpening = EpisodeStatistics()
  }

  private struct State {
    var snapshot = Snapshot()
    var claimed = 0
    /// The number of claimed episodes from which on the deadline and the move limit apply.
    var unlimited = 0
    var limit = 0
    var deadline: SuspendingClock.Instant?
    var moveLimit = 0
    /// Whether a requested save brings the barrier forward.
    var yieldsToSaves = true
  }

  private let state: Mutex<State>
  private let stopRequest = Atomic<Bool>(false)
  private let saveRequest = Atomic<Bool>(false)

  /// Creates a ledger that continues from a snapshot; by default, that of a new run.
  public init(
    episodes: Int = 0, moves: Int = 0, sinceReport: EpisodeStatistics = EpisodeStatistics()
  ) {
    let snapshot = Snapshot(episodes: episodes, moves: moves, sinceReport: sinceReport)
    state = Mutex(State(snapshot: snapshot, claimed: episodes))
  }

  /// Sets the next barrier, up to which workers can claim episodes.
  ///
  /// The barrier is reached with the first of these limits.
  ///
  /// - Parameters:
  ///   - limit: The number of episodes of the run.
  ///   - deadline: The time after which no episode begins.
  ///   - moveLimit: The number of moves of the run after which no episode begins.
  ///   - playsOne: Whether one episode is played even if the deadline or the move limit has already been reached.
  ///   - yieldsToSaves: Whether a requested save brings the barrier forward as well.
  package func open(
    until limit: Int, deadline: SuspendingClock.Instant?, moveLimit: Int = .max,
    playsOne: Bool = true, yieldsToSaves: Bool = true
  ) {
    state.withLock {
      $0.claimed = $0.snapshot.episodes
      $0.unlimited = $0.claimed + (playsOne ? 1 : 0)
      $0.snapshot.sinceOpening = EpisodeStatistics()
      $0.limit = limit
      $0.deadline = deadline
      $0.moveLimit = moveLimit
      $0.yieldsToSaves = yieldsToSaves
    }
  }

  /// Brings the barrier forward: no further episode can be claimed.
  package func close() { state.withLock { $0.limit = $0.claimed } }

  /// Claims the next episode and returns its number, counted from 0, or nil if the worker should go to
  /// the barrier.
  package func claim() -> Int? {
    if stopRequest.load(ordering: .relaxed) { return nil }
    return state.withLock { state in
      if state.claimed >= state.limit { return nil }
      if state.claimed >= state.unlimited {
        if state.snapshot.moves >= state.moveLimit { return nil }
        if state.yieldsToSaves, isSaveRequested { return nil }
        if let deadline = state.deadline, RunClock.now >= deadline { return nil }
      }
      defer { state.claimed += 1 }
      return state.claimed
    }
  }

  /// Adds the result of an episode.
  package func record(_ result: EpisodeResult) {
    state.withLock {
      $0.snapshot.episodes += 1
      $0.snapshot.moves += result.moves
      $0.snapshot.sinceReport.add(result)
      $0.snapshot.sinceOpening.add(result)
    }
  }

  /// Adds episodes that another process has played.
  package func add(_ statistics: EpisodeStatistics) {
    state.withLock {
      $0.snapshot.episodes += statistics.episodes
      $0.snapshot.moves += statistics.moves
      $0.snapshot.sinceReport.add(statistics)
    }
  }

  /// Requests that all workers go to the barrier after their current episodes.
  public func requestStop() {
    stopRequest.store(true, ordering: .relaxed)
  }

  /// Whether ``requestStop()`` has been called.
  public var isStopRequested: Bool { stopRequest.load(ordering: .relaxed) }

  /// Requests that the run saves its state at the next barrier.
  func requestSave() { saveRequest.store(true, ordering: .relaxed) }

  /// Whether ``requestSave()`` has been called since the last call of ``takeSaveRequest()``.
  var isSaveRequested: Bool { saveRequest.load(ordering: .relaxed) }

  /// Returns whether a save has been requested, and ends the request.
  func takeSaveRequest() -> Bool { saveRequest.exchange(false, ordering: .relaxed) }

  /// The current state of the ledger.
  public var snapshot: Snapshot { state.withLock { $0.snapshot } }

  /// Resets the statistics since the last report.
  public func beginReport() {
    state.withLock { $0.snapshot.sinceReport = EpisodeStatistics() }
  }
}
