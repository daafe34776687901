/// What changes while one thread searches: counts, and where it may write.
@frozen
@usableFromInline
struct SearchState {
  /// The probability under which a chance node is valued as it stands.
  @usableFromInline let threshold: Double
  /// 1 / threshold: a probability times this is how far a node is searched.
  @usableFromInline let reachScale: Float
  /// Whether every 4 that spawns costs a layer, but in the last one.
  @usableFromInline let delaysFours: Bool
  /// Whether remembered values of deeper searches are taken.
  @usableFromInline let acceptsDeeper: Bool
  /// How much smaller than wanted the reach of a remembered value may be, in steps of 1/128 octave.
  @usableFromInline let slack: UInt16
  /// Which move of the game this is, for the table.
  @usableFromInline let generation: UInt64
  @usableFromInline let table: TranspositionTable.Entries?
  @usableFromInline let scratch: FrontierScratch

  /// The afterstates valued or expanded so far.
  @usableFromInline var nodes = 0
  /// The number of nodes at which to look at the budget next.
  @usableFromInline var nextCheck: Int
  /// Whether the budget is used up; values are then of no use.
  @usableFromInline var isStopped = false

  /// How often the search ended because no layers were left.
  @usableFromInline var endsOfLayers = 0

  /// The nodes that may be searched, and the thread's processor time at which to stop.
  @usableFromInline let nodeLimit: Int
  @usableFromInline let deadline: UInt64

  /// How many nodes go between two looks at the clock: about 20 µs of them, which are more of a small table of
  /// weights than of a large one, or of a transposition table that is still new.
  @usableFromInline var checkInterval = SearchState.checkIntervals.lowerBound
  @usableFromInline static let checkIntervals = 32...512
  /// The thread's processor time at the last look; 0 before the first.
  @usableFromInline var lastCheck: UInt64 = 0

  @usableFromInline
  init(
    pass: SearchPass, settings: SearchSettings, memory: SearchMemory, thread: Int = 0,
    nodeLimit: Int = .max, deadline: UInt64 = .max
  ) {
    threshold = pass.threshold
    delaysFours = pass.delaysFours
    acceptsDeeper = settings.isCut
    slack = threshold > 0 ? SearchState.octave * 4 : 0
    generation = memory.table?.generation ?? 0
    table = memory.table?.entries
    scratch = memory.scratch(thread)
    self.nodeLimit = nodeLimit
    self.deadline = deadline
    reachScale = Float(1 / threshold)
    nextCheck =
      deadline == .max ? nodeLimit : min(nodeLimit, checkInterval)
  }

  /// Sets when to look at the clock again, after a look that showed `now`.
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

  /// How far so many layers are searched, as the table keeps it: with delayed fours, half a layer less.
  @inlinable
  @inline(__always)
  func depth(_ layers: Int) -> Int { 2 &* layers &- (delaysFours && layers > 1 ? 1 : 0) }

  /// The steps of a reach from one probability to twice as much.
  @usableFromInline static let octave: UInt16 = 128

  /// The reach of a search from a node of this probability, as the table keeps it: larger is further.
  ///
  /// The upper half of a positive float sorts as the float does.
  @inlinable
  @inline(__always)
  func reach(_ probability: Double) -> UInt16 {
    UInt16(truncatingIfNeeded: (Float(probability) * reachScale).bitPattern >> 16)
  }
}
