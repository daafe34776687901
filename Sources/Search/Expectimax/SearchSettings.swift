import Game2048

/// The depth, cuts, budget and resources of an expectimax.
public struct SearchSettings: Hashable, Codable, Sendable {
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

/// The maximal depth of a search by the number of empty cells.
///
/// Emptier boards are safer and have more spawns to follow. A limit `CELLS:PLIES` says that
/// afterstates with at least `CELLS` empty cells are searched at most `PLIES` plies deep, counted
/// from the move that led to them. It holds at the root and at every afterstate below it.
public struct DepthLimits: Hashable, Codable, Sendable {
  /// The plies allowed at each number of empty cells, as elements 0 to 16.
  @usableFromInline var plies = SIMD32<UInt8>(repeating: .max)

  /// No limits.
  public static let none = DepthLimits()

  /// Adds a limit to those there are.
  ///
  /// - Precondition: `emptyCells` is in 0...16, and `plies` in ``SearchDepth/range``.
  public mutating func add(plies: Int, fromEmptyCells emptyCells: Int) {
    precondition(SearchDepth.range.contains(plies), "a limit is a number of plies")
    for count in emptyCells...Board.cellCount {
      self.plies[count] = min(self.plies[count], UInt8(plies))
    }
  }

  /// The move layers that may lie below an afterstate with `emptyCells` empty cells.
  @inlinable
  @inline(__always)
  func layers(emptyCells: Int) -> Int { Int(plies[emptyCells]) &- 1 }
}

extension DepthLimits: CustomStringConvertible {
  /// The limits as a PLAYER text writes them, such as `6:3/10:2`; empty if there are none.
  public var description: String {
    var limits: [String] = []
    var last = UInt8.max
    for cells in 0...Board.cellCount where plies[cells] != last {
      last = plies[cells]
      limits.append("\(cells):\(last)")
    }
    return limits.joined(separator: "/")
  }
}

/// The depth of a search in plies.
///
/// A search of one ply compares `rewardWeight · reward + value(afterstate)` of the moves; each
/// further ply adds one chance layer and one move layer.
public enum SearchDepth: Hashable, Codable, Sendable, CustomStringConvertible {
  /// A fixed number of plies.
  case plies(Int)
  /// max(4, distinct tiles − 1) plies: the more different tiles a board has, the deeper the search.
  ///
  /// Combine it with a cut by probability; without one it is far too slow.
  case auto

  /// The fixed depths that a PLAYER text can name.
  public static let range = 1...8

  /// Returns the plies to search from `board`.
  @inlinable
  public func plies(from board: Board) -> Int {
    switch self {
    case .plies(let plies): return plies
    case .auto:
      var seen: UInt32 = 0
      for cell in 0..<Board.cellCount { seen |= 1 << UInt32(board[cell]) }
      return max(4, (seen & ~1).nonzeroBitCount - 1)
    }
  }

  public var description: String {
    switch self {
    case .plies(let plies): "\(plies)"
    case .auto: "auto"
    }
  }
}
