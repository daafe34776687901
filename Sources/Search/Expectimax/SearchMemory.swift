import Synchronization

/// What a search keeps between moves: its table, and scratch memory for every thread.
@usableFromInline
final class SearchMemory: Sendable {
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

  /// The scratch memory of one thread.
  @usableFromInline
  func scratch(_ thread: Int) -> FrontierScratch { scratches[thread] }

  /// Begins the search of the next move.
  @usableFromInline
  func startMove() {
    table?.startMove()
    isStopped = false
  }

  /// Whether some thread has found the budget used up.
  @usableFromInline
  var isStopped: Bool {
    get { stop.load(ordering: .relaxed) }
    set { stop.store(newValue, ordering: .relaxed) }
  }
}
