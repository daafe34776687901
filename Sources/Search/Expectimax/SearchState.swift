import Game2048
import Synchronization

/// The state of one thread in one pass: its counts, its budget, and the memory that it writes to.
@usableFromInline
struct SearchState {
  /// The joint probability below which a chance node is valued as it stands.
  @usableFromInline let threshold: Double
  /// 1 / threshold: a probability times this is the reach of a node.
  @usableFromInline let reachScale: Float
  /// Whether every 4 that spawns costs a layer, except in the last one.
  @usableFromInline let delaysFours: Bool
  /// Whether remembered values of deeper searches count.
  @usableFromInline let acceptsDeeper: Bool
  /// By how much the reach of a remembered value may fall short, in steps of 1/128 octave.
  @usableFromInline let slack: UInt16
  /// The number of the move, modulo 256, for the table.
  @usableFromInline let generation: UInt64
  @usableFromInline let table: TranspositionTable.Entries?
  /// The value below which an afterstate is given up.
  @usableFromInline let hopelessValue: Double
  /// A hash of ``hopelessValue``, which the table combines with the planes of an afterstate: searches that give up at
  /// another value do not find its entries.
  @usableFromInline let salt: UInt64
  @usableFromInline let scratch: FrontierScratch

  /// The afterstates valued or expanded so far.
  @usableFromInline var nodes = 0
  /// The number of nodes at which to check the budget next.
  @usableFromInline var nextCheck: Int
  /// Whether the budget is used up; values are then meaningless.
  @usableFromInline var isStopped = false

  /// How often the search ended because no layers were left.
  @usableFromInline var endsOfLayers = 0

  /// The nodes, and the CPU time of the thread in nanoseconds, at which to stop.
  @usableFromInline let nodeLimit: Int
  @usableFromInline let deadline: UInt64

  /// The nodes between two looks at the clock: about 20 µs.
  ///
  /// How many those are depends on the size of the network and on what the transposition table
  /// holds.
  @usableFromInline var checkInterval = SearchState.checkIntervals.lowerBound
  @usableFromInline static let checkIntervals = 32...512
  /// The CPU time of the thread at the last look; 0 before the first.
  @usableFromInline var lastCheck: UInt64 = 0

  @usableFromInline
  init(
    pass: SearchPass, hopelessValue: Double, settings: SearchSettings, memory: SearchMemory,
    thread: Int = 0,
    nodeLimit: Int = .max, deadline: UInt64 = .max
  ) {
    threshold = pass.threshold
    delaysFours = pass.delaysFours
    acceptsDeeper = settings.isCut
    slack = threshold > 0 ? SearchState.octave * 4 : 0
    self.hopelessValue = hopelessValue
    salt = hopelessValue == -.infinity ? 0 : hopelessValue.bitPattern &* 0x9E37_79B9_7F4A_7C15
    generation = memory.table?.generation ?? 0
    table = memory.table?.entries
    scratch = memory.scratch(thread)
    self.nodeLimit = nodeLimit
    self.deadline = deadline
    reachScale = Float(1 / threshold)
    nextCheck =
      deadline == .max && !memory.isCancellable ? nodeLimit : min(nodeLimit, checkInterval)
  }

  /// Schedules the next look at the clock, after one that showed `now`.
  @usableFromInline
  mutating func scheduleCheck(after now: UInt64) {
    let elapsed = now &- lastCheck
    if lastCheck != 0 {
      if elapsed < 15_000, checkInterval < SearchState.checkIntervals.upperBound {
        checkInterval *= 2
      } else if elapsed > 30_000, checkInterval > SearchState.checkIntervals.lowerBound {
        checkInterval /= 2
      }
    }
    lastCheck = now
    nextCheck = min(nodeLimit, nodes &+ checkInterval)
  }

  /// Returns the depth of a number of layers as the table keeps it, in half layers: one less with
  /// delayed fours.
  @inlinable
  @inline(__always)
  func depth(_ layers: Int) -> Int { 2 &* layers &- (delaysFours && layers > 1 ? 1 : 0) }

  /// The steps of a reach between one probability and twice that.
  @usableFromInline static let octave: UInt16 = 128

  /// Returns the reach of a search from a node of this probability, as the table keeps it: larger
  /// is deeper.
  ///
  /// The upper half of a positive float sorts as the float does.
  @inlinable
  @inline(__always)
  func reach(_ probability: Double) -> UInt16 {
    UInt16(truncatingIfNeeded: (Float(probability) * reachScale).bitPattern >> 16)
  }
}

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
