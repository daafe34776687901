import Game2048

/// A count of the places where games hold their large tiles.
///
/// For every goal, a position is *locked* if its tiles from the goal on are all different. The census counts
/// locked positions by their number of free cells and by the cells of their large tiles, where symmetric places
/// count as one.
public struct TableCensus: Sendable {
  /// The exponents of the goals that are counted: 64 to 2048.
  public static let goals = 6...11
  /// The numbers of free cells that are counted.
  public static let freeCells = 8...13

  /// The classes whose shares are counted.
  public let classes: [TableClass]
  /// The number of positions.
  public private(set) var positions = 0
  /// The places of every kind of position.
  public private(set) var kinds: [Kind: Places] = [:]
  /// The positions by the chain of their largest tiles.
  public private(set) var chains: [Chain: ChainCount] = [:]

  /// The least exponent of the largest tile of a position that counts.
  private let leastLargest: Int
  /// The classes that answer positions with large tiles on given cells: bit `class`.
  private let answering: [UInt32]
  /// The representative of all symmetric sets of cells.
  private let canonical: [UInt16]

  /// Positions with one goal and one number of free cells.
  public struct Kind: Hashable, Comparable, Sendable {
    public let freeCells: Int
    public let goal: Int

    public init(freeCells: Int, goal: Int) {
      self.freeCells = freeCells
      self.goal = goal
    }

    public static func < (first: Kind, second: Kind) -> Bool {
      (first.freeCells, first.goal) < (second.freeCells, second.goal)
    }
  }

  /// The places of the large tiles in positions of one kind.
  public struct Places: Sendable {
    /// The positions with two equal large tiles, which no table answers.
    public internal(set) var notLocked = 0
    /// The locked positions by the cells of their large tiles.
    public internal(set) var cells: [CellSet: Int] = [:]

    /// The number of locked positions.
    public var locked: Int { cells.values.reduce(0, +) }

    /// The most frequent places first.
    public var byCount: [(place: CellSet, count: Int)] {
      cells.map { ($0.key, $0.value) }
        .sorted { ($1.count, $0.place.cells) < ($0.count, $1.place.cells) }
    }

    /// The share of locked positions with one of the `count` most frequent places.
    public func share(ofMostFrequent count: Int) -> Double {
      Double(byCount.prefix(count).reduce(0) { $0 + $1.count }) / Double(max(1, locked))
    }
  }

  /// The largest tile of a board and those that follow it without a gap, each half of the one before.
  public struct Chain: Hashable, Comparable, Sendable, CustomStringConvertible {
    public let largest: Int
    public let length: Int

    init(of board: Board) {
      let tiles = TileCells(of: board)
      largest = board.largestTileExponent
      var exponent = largest
      while exponent > 0, tiles[exponent] != 0 { exponent -= 1 }
      length = min(TableCensus.longestChain, largest - exponent)
    }

    public static func < (first: Chain, second: Chain) -> Bool {
      (first.largest, first.length) < (second.largest, second.length)
    }

    public var description: String {
      (0..<length).map { "\(1 << (largest - $0))" }.joined(separator: " ")
        + (length == TableCensus.longestChain ? " ..." : "")
    }
  }

  /// The longest chain that is told apart.
  static let longestChain = 6

  /// The positions with one chain.
  public struct ChainCount: Sendable {
    /// The number of positions.
    public internal(set) var positions = 0
    /// The positions that each class answers for at least one goal.
    public internal(set) var answered: [Int]
  }

  /// Starts a census of positions whose largest tile has at least this exponent.
  public init(fromLargest leastLargest: Int, classes: [TableClass] = TableClass.published) {
    precondition(classes.count <= UInt32.bitWidth, "as many classes as a mask has bits")
    self.classes = classes
    self.leastLargest = leastLargest
    canonical = (0...UInt16.max).map { CellSet($0).canonical.cells }
    let images = canonical
    var answering = [UInt32](repeating: 0, count: 1 << 16)
    for cells in 0...UInt16.max where images[Int(cells)] == cells {
      for (bit, table) in classes.enumerated() where table.answers(CellSet(cells)) {
        answering[Int(cells)] |= 1 << UInt32(bit)
      }
    }
    self.answering = answering
  }

  /// Counts a position, if its largest tile is large enough.
  public mutating func add(_ board: Board) {
    guard board.largestTileExponent >= leastLargest else { return }
    positions += 1
    var answers: UInt32 = 0
    let tiles = TileCells(of: board)
    for goal in TableCensus.goals {
      var large: UInt16 = 0
      var isLocked = true
      for exponent in goal...Board.largestExponent {
        let cells = tiles[exponent]
        isLocked = isLocked && cells & (cells &- 1) == 0
        large |= cells
      }
      let free = Board.cellCount - large.nonzeroBitCount
      guard TableCensus.freeCells.contains(free) else { continue }
      let kind = Kind(freeCells: free, goal: goal)
      if isLocked {
        let place = canonical[Int(large)]
        kinds[kind, default: Places()].cells[CellSet(place), default: 0] += 1
        answers |= answering[Int(place)]
      } else {
        kinds[kind, default: Places()].notLocked += 1
      }
    }
    let none = ChainCount(answered: Array(repeating: 0, count: classes.count))
    let chain = Chain(of: board)
    chains[chain, default: none].positions += 1
    while answers != 0 {
      chains[chain]!.answered[answers.trailingZeroBitCount] += 1
      answers &= answers &- 1
    }
  }

  /// The share of the locked positions of a kind that a class answers.
  public func share(of table: TableClass, in kind: Kind) -> Double {
    guard let places = kinds[kind] else { return 0 }
    let answered = places.cells.reduce(0) { $0 + (table.answers($1.key) ? $1.value : 0) }
    return Double(answered) / Double(max(1, places.locked))
  }

  /// The share of all positions that a class answers for at least one goal.
  public func share(of table: Int) -> Double {
    Double(chains.values.reduce(0) { $0 + $1.answered[table] }) / Double(max(1, positions))
  }
}
