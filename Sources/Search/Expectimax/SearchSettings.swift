/// The depth, cuts, budget and resources of an expectimax.
public struct SearchSettings: Hashable, Sendable {
  /// The most plies of a search: those that an entry of the transposition table can hold.
  public static let mostPlies = 64

  /// The depth; with a budget, the maximal depth.
  public var depth: SearchDepth
  /// The maximal depth by the number of empty cells.
  public var limits = DepthLimits.none
  /// The joint probability of spawns, counted from the afterstate of the root's move, below which a
  /// chance node is not searched but valued as it stands; 0 searches all of them.
  ///
  /// Values that the table remembers from other paths and moves count if they were cut at up to 16
  /// times this probability.
  public var probability = 0.0
  /// The budget of nodes per move, if there is one. A node is an afterstate valued or expanded.
  public var nodes: Int?
  /// The budget of CPU time per move and thread in milliseconds, if there is one.
  public var milliseconds: Double?
  /// The mean CPU time per move and thread over a game in milliseconds, if it is limited.
  ///
  /// The search then drops moves of the root that are far behind, ends when one move is left, and leaves
  /// the rest of the time to later moves of the game.
  public var averageMilliseconds: Double?
  /// The searches over which the time left by earlier moves is spread, with ``averageMilliseconds``; at least 1.
  public var horizon = TimeBank.standardHorizon
  /// The bytes of the transposition table, 0 for none; nil for the default of ``tableSize``.
  public var tableBytes: Int?
  /// The number of threads that search in parallel.
  public var threads = 1
  /// The exponent of the least tile with which a board is downgraded before the search, if any is.
  public var downgradeExponent: Int?

  public init(depth: SearchDepth) {
    self.depth = depth
  }

  /// Whether the search deepens until a budget is used up.
  public var hasBudget: Bool { nodes != nil || isTimed }

  /// Whether time is limited.
  @usableFromInline var isTimed: Bool { milliseconds != nil || averageMilliseconds != nil }

  /// Whether values may depend on earlier searches: with a cut, a remembered value of a deeper
  /// search replaces that of a shallower one.
  public var isCut: Bool { probability > 0 || hasBudget }

  /// The size of the transposition table in bytes, 0 for none: ``tableBytes``, or the default.
  ///
  /// The default is as small as possible without loss of speed, so that the table stays in a cache:
  /// 64 KiB at 3 plies, 1 MiB at 4 plies and at automatic depth, 16 MiB at more plies and with a
  /// budget. At 2 plies no afterstate occurs twice.
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
