import Synchronization

/// The memory of a search: its transposition table, and scratch memory for each of its threads.
///
/// Thread safety: not `Sendable`, as only one search may use it at a time. Within a search, threads
/// share the entries of the table and the stop flag, and each uses a scratch memory of a different
/// number.
@usableFromInline
final class SearchMemory {
  let table: TranspositionTable?
  private let scratches: [FrontierScratch]
  private let stop = Atomic<Bool>(false)

  init(tableBytes: Int, threads: Int) {
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
  }

  /// Whether a thread has found the budget used up.
  @usableFromInline
  var isStopped: Bool {
    get { stop.load(ordering: .relaxed) }
    set { stop.store(newValue, ordering: .relaxed) }
  }
}
