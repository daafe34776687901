import Game2048
import Synchronization

/// The memory of a search: its transposition table, and scratch memory for each of its threads.
///
/// Thread safety: not `Sendable`, as only one search may use it at a time. Within a search, threads
/// share the entries of the table and the stop flag, and each uses a scratch memory of a different
/// number.
@usableFromInline
final class SearchMemory {
  let table: TranspositionTable?
  private let bank: TimeBank?
  /// The CPU time that the current move may take, in nanoseconds.
  private var allowance: UInt64 = 0
  private let scratches: [FrontierScratch]
  private let stop = Atomic<Bool>(false)
  private var cancellation: SearchCancellation?

  init(tableBytes: Int, threads: Int, bank: TimeBank?) {
    self.bank = bank
    table =
      tableBytes < TranspositionTable.smallestSize ? nil : TranspositionTable(bytes: tableBytes)
    scratches = (0..<threads).map { _ in FrontierScratch() }
  }

  deinit {
    for scratch in scratches { scratch.deallocate() }
  }

  /// Returns the scratch memory of one thread, which lives as long as this object.
  @usableFromInline
  func scratch(_ thread: Int) -> FrontierScratch { scratches[thread] }

  /// Starts the search of the next move.
  @usableFromInline
  func startMove() {
    table?.startMove()
    isStopped = false
    cancellation = SearchCancellation.current
  }

  /// Returns the CPU time of the calling thread at which a search that started at `start` has to stop.
  @usableFromInline
  func deadline(for board: Board, _ settings: SearchSettings, start: UInt64) -> UInt64 {
    if let bank {
      allowance = UInt64(bank.allowance(for: board, horizon: settings.horizon))
      return start &+ allowance
    }
    return settings.milliseconds.map { start &+ UInt64($0 * 1e6) } ?? .max
  }

  /// Puts aside the time that a search has left.
  ///
  /// - Parameter deadline: The deadline, which was moved forward by the time of other threads.
  @usableFromInline
  func settle(start: UInt64, deadline: UInt64) {
    guard let bank else { return }
    let others = start &+ allowance &- deadline
    bank.settle(spent: Int64(clamping: ProcessorTime.ofThread &- start &+ others))
  }

  /// Whether the search of the current move can be cancelled.
  var isCancellable: Bool { cancellation != nil }

  /// Whether the search of the current move is cancelled.
  @usableFromInline
  var isCancelled: Bool { cancellation?.isCancelled ?? false }

  /// Whether a thread has found the budget used up, or the search cancelled.
  @usableFromInline
  var isStopped: Bool {
    get { stop.load(ordering: .relaxed) }
    set { stop.store(newValue, ordering: .relaxed) }
  }
}
