/// How an expectimax searches: how far, and with what means.
public struct SearchSettings: Hashable, Sendable {
  /// The most plies of a search, which the table's measure of depth has room for.
  public static let mostPlies = 64

  /// The plies to search; with a budget, the most plies to search.
  public var depth: SearchDepth
  /// How far boards are searched at most, by their empty cells.
  public var limits = DepthLimits.none
  /// The probability under which a chance node is not searched but valued as it stands, counted from
  /// the afterstate of the root's move on; 0 searches all. Values that the table remembers from other
  /// paths and moves count if they were cut at up to 16 times as much.
  public var probability = 0.0
  /// The nodes that a move may take, if that is limited: afterstates valued or expanded.
  public var nodes: Int?
  /// The milliseconds of its thread's processor time that a move may take, if that is limited.
  public var milliseconds: Double?
  /// The bytes of the transposition table, 0 for none; nil lets the depth decide.
  public var tableBytes: Int?
  /// The threads that search side by side.
  public var threads = 1
  /// The exponent of the largest tile from which on boards are downgraded, if they are.
  public var downgradeExponent: Int?

  public init(depth: SearchDepth) {
    self.depth = depth
  }

  /// Whether the search deepens until a budget is used up.
  public var hasBudget: Bool { nodes != nil || milliseconds != nil }

  /// Whether values may depend on what was searched before: where something is cut, remembered values
  /// of a deeper search are taken for those of a shallower one.
  public var isCut: Bool { probability > 0 || hasBudget }

  /// The memory of the transposition table, in bytes; 0 for none.
  ///
  /// By default it is as small as goes without loss of speed, to stay in a cache: 64 KiB at 3 plies,
  /// 1 MiB at 4 and at automatic depth, 16 MiB beyond and for searches with a budget. At 2 plies no
  /// afterstate comes twice.
  public var tableSize: Int {
    if let tableBytes { return tableBytes }
    if hasBudget { return 16 << 20 }
    switch depth {
    case .plies(1), .plies(2): return 0
    case .plies(3): return 64 << 10
    case .plies(4), .auto: return 1 << 20
    case .plies: return 16 << 20
    }
  }
}
