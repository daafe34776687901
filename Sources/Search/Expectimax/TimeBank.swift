import Game2048

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The time that the moves of a game have saved for later ones.
///
/// A decided move ends its search early, and leaves the rest of its budget to later moves. A move without a search
/// leaves all of it. A move takes at most the budget and a small part of what is saved. What it overruns, since a
/// search does not look at the clock all the time, the next moves repay. So the mean over the moves exceeds the budget
/// by no more than one overrun, whenever the game ends.
///
/// Thread safety: not `Sendable`. Searches that play one game together may share a bank, if one searches at a time.
public final class TimeBank {
  /// The moves over which savings are spread, by default: most savings come from the first half of a long game, and
  /// the second half has some thousands of moves.
  public static let standardHorizon: Int64 = 4096
  /// The most that a move may take, in budgets.
  static let most: Int64 = 8

  /// The mean CPU time of a move in nanoseconds.
  let budget: Int64
  /// The saved CPU time in nanoseconds; negative if time is owed.
  private(set) var saved: Int64 = 0
  private var tileSum = 0

  /// Creates a bank without savings.
  ///
  /// - Parameter milliseconds: The mean CPU time of a move, finite and not negative.
  public init(milliseconds: Double) {
    budget = Int64(milliseconds * 1e6)
  }

  /// Returns the CPU time that the search of a board may take, in nanoseconds.
  ///
  /// - Parameter horizon: The searches over which savings are spread.
  func allowance(for board: Board, horizon: Int64 = standardHorizon) -> Int64 {
    startMove(from: board)
    return saved < 0
      ? max(0, budget + saved) : min(budget + saved / horizon, TimeBank.most * budget)
  }

  /// Puts aside what a move has left of its budget, or takes what it needed beyond it.
  func settle(spent: Int64) {
    saved += budget - spent
  }

  /// Puts aside the time of a move that was chosen without a search.
  ///
  /// - Parameter board: The board before the move.
  public func skip(_ board: Board) {
    startMove(from: board)
    settle(spent: 0)
  }

  /// Drops the savings if a new game has begun: its boards have a smaller sum of tiles than the one before.
  private func startMove(from board: Board) {
    let sum = board.tiles.reduce(0, +)
    if sum < tileSum { saved = 0 }
    tileSum = sum
  }
}

@available(*, unavailable)
extension TimeBank: Sendable {}

/// The CPU time used so far, in nanoseconds.
///
/// Unlike wall-clock time it does not advance while other programs run, so a budget is the same
/// amount of search on a busy machine.
@usableFromInline
package enum ProcessorTime {
  /// The time of the calling thread.
  @usableFromInline package static var ofThread: UInt64 { nanoseconds(CLOCK_THREAD_CPUTIME_ID) }
  /// The time of all threads of the process.
  package static var ofProcess: UInt64 { nanoseconds(CLOCK_PROCESS_CPUTIME_ID) }

  private static func nanoseconds(_ clock: clockid_t) -> UInt64 {
    var time = timespec()
    unsafe clock_gettime(clock, &time)
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
  }
}
