import Synchronization

/// A request to end a search at once, for example because nobody waits for its result any more.
///
/// A task-local value holds it, so that players need not pass it on. Searches that start while one is set look at it
/// about every 20 µs, and Monte Carlo players before every game. The result of a cancelled search is meaningless.
package final class SearchCancellation: Sendable {
  @TaskLocal package static var current: SearchCancellation?

  private let flag = Atomic<Bool>(false)

  package init() {}

  package var isCancelled: Bool { flag.load(ordering: .relaxed) }

  package func cancel() { flag.store(true, ordering: .relaxed) }
}
