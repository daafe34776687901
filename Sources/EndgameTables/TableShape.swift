import Game2048

/// The question that a table answers: which cells are locked, and which tile is to be made on the others.
///
/// A table knows the boards on which different large tiles lock the cells, and all other tiles are smaller than
/// the goal. Its probability is that of making the goal before the game ends, if the locked tiles never move
/// and every move is the best one.
public struct TableShape: Hashable, Codable, Sendable {
  /// The locked cells: bit `cell` stands for `cell`.
  public let locked: UInt16
  /// The exponent of the goal.
  public let goal: Int
  /// What makes the goal.
  public let target: Target
  /// The largest sum of the tiles on free cells that the table knows. Boards with more count as lost.
  public let largestSum: Int
  /// The probability that a spawned tile is a 4.
  public let fourProbability: Double

  /// What makes the goal.
  public enum Target: String, Codable, Sendable {
    /// The goal's tile on any free cell.
    case tile
    /// Falling tiles beside the locked ones that add up to the goal, and merge into it one after the other.
    case chain
  }

  /// The exponents of goals: 8 to 1024, and 32 to 1024 for chains, on whose smallest cells a spawned 4 must fit.
  public static func goals(of target: Target) -> ClosedRange<Int> {
    target == .tile ? 3...10 : 5...10
  }
  /// The numbers of free cells: with more, the index of a table would not fit into the memory of most machines.
  public static let freeCells = 2...12
  /// The sum beyond the goal that a table knows, by default.
  public static let standardMargin = 64
  /// The locked cells for which there are chains.
  public static let chainedCells = ChainPlan.all.map(\.locked)

  /// Creates a shape; nil if its numbers are out of range.
  ///
  /// The locked tiles are different and at least as large as the goal, so there are at most `16 - goal`.
  public init?(
    locked: CellSet, goal: Int, target: Target = .tile, margin: Int = TableShape.standardMargin,
    fourProbability: Double = Rules.standardFourProbability
  ) {
    self.locked = locked.cells
    self.goal = goal
    self.target = target
    largestSum = (1 << goal) + margin
    self.fourProbability = fourProbability
    guard isValid else { return nil }
  }

  /// Whether all numbers are in range, which a shape from a file need not be.
  var isValid: Bool {
    TableShape.goals(of: target).contains(goal) && TableShape.freeCells.contains(freeCellCount)
      && locked.nonzeroBitCount <= 16 - goal && (target == .tile || plan != nil)
      && (0...1).contains(fourProbability)
      && largestSum % 2 == 0 && ((1 << goal)...(16 << goal)).contains(largestSum)
  }

  /// The chains that make the goal; nil if its tile does.
  var plan: ChainPlan? { target == .chain ? ChainPlan.of(locked) : nil }

  /// The exponent of the largest tile that each cell may hold before the goal is made; 0 for locked cells.
  var largestExponents: [Int] {
    let limits = plan?.limits
    return (0..<Board.cellCount).map { cell in
      free >> UInt16(cell) & 1 == 0 ? 0 : max(0, goal - (limits?[cell] ?? 1))
    }
  }

  /// The cells that are not locked.
  public var free: UInt16 { ~locked }

  /// The number of free cells.
  public var freeCellCount: Int { free.nonzeroBitCount }

  /// The number of layers: a layer has the boards with the same sum of tiles on free cells.
  public var layerCount: Int { largestSum / 2 + 1 }

  /// The number of contents of the free cells in each layer.
  var layerSizes: [Int] {
    var sizes = [1] + Array(repeating: 0, count: layerCount - 1)
    for largest in largestExponents where largest > 0 {
      let before = sizes
      for exponent in 1...largest {
        let sum = 1 << (exponent - 1)
        for layer in sum..<max(sum, layerCount) { sizes[layer] += before[layer - sum] }
      }
    }
    return sizes
  }

  /// The board with different tiles from the goal on, one on each locked cell, and nothing on free cells.
  package var emptyBoard: Board {
    var board = Board()
    var exponent = goal
    for cell in 0..<Board.cellCount where locked >> UInt16(cell) & 1 == 1 {
      board[cell] = exponent
      exponent += 1
    }
    return board
  }

  /// The name of the table's file without its extension, such as `locked-003F-512`, or `chain-0077-512`
  /// for a chain.
  public var name: String {
    let digits = String(locked, radix: 16, uppercase: true)
    return (target == .tile ? "locked-" : "chain-")
      + String(repeating: "0", count: 4 - digits.count) + digits + "-\(1 << goal)"
  }
}

extension TableShape {
  private enum CodingKeys: CodingKey { case locked, goal, target, largestSum, fourProbability }

  /// Reads a shape. One without a target is older than chains.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    locked = try fields.decode(UInt16.self, forKey: .locked)
    goal = try fields.decode(Int.self, forKey: .goal)
    target = try fields.decodeIfPresent(Target.self, forKey: .target) ?? .tile
    largestSum = try fields.decode(Int.self, forKey: .largestSum)
    fourProbability = try fields.decode(Double.self, forKey: .fourProbability)
  }
}

/// A class of positions that one table, or a family of tables, answers.
///
/// A class is a list of places of locked tiles, and a number of large tiles that may be anywhere else. It
/// answers a position whose large tiles are all different, if in one of the eight symmetries large tiles stand
/// on all cells of a place, and as many others as the class allows elsewhere.
public struct TableClass: Sendable {
  /// The name, as its author has it.
  public let name: String
  /// The places of the locked tiles; none if no cell is fixed.
  public let places: [CellSet]
  /// The number of large tiles that may be anywhere.
  public let movable: Int

  /// Creates a class from the texts of its places.
  ///
  /// - Precondition: All places have the same number of cells.
  init(_ name: String, _ places: [String], movable: Int = 0) {
    self.name = name
    self.places = places.map { CellSet($0)! }
    self.movable = movable
    precondition(
      Set(self.places.map(\.cells.nonzeroBitCount)).count <= 1, "places have one size")
  }

  /// The number of cells without a large tile.
  public var freeCellCount: Int {
    Board.cellCount - movable - (places.first?.cells.nonzeroBitCount ?? 0)
  }

  /// Returns whether the class answers positions with large tiles on these cells.
  public func answers(_ cells: CellSet) -> Bool {
    guard Board.cellCount - cells.cells.nonzeroBitCount == freeCellCount else { return false }
    return places.isEmpty
      || places.contains { place in place.images.contains { $0 & ~cells.cells == 0 } }
  }

  /// The classes of the two strongest published players.
  ///
  /// `macroxue` is macroxue/2048-ai with its small and its large table, whose further conditions on the order
  /// of tiles are left out. The others are classes of game-difficulty/2048EndgameTablebase.
  public static let published: [TableClass] = [
    TableClass("macroxue 10", ["###./###./..../...."]),
    TableClass("macroxue 11", ["###./##../..../...."]),
    TableClass("44", ["####/####/..../...."]),
    TableClass("L3", ["###./###./..../...."]),
    TableClass(
      "L3f",
      [
        "###./###./..../....", ".##./###./#.../....", "..##/##../##../....", ".##./###./.#../....",
        ".##./.###/.#../....", ".##./.##./##../....", ".##./.##./.##./....", "..##/.###/.#../....",
        "##../###./.#../....", "...#/###./##../....", "..#./###./.##./....", "#.#./###./.#../....",
      ]),
    TableClass("442", ["####/##../..../...."]),
    TableClass(
      "442t",
      [
        "####/##../..../....", "###./##.#/..../....", "##.#/###./..../....", "##../####/..../....",
        ".###/##../#.../....", ".##./##.#/#.../....", ".###/..##/#.../....", "..##/.###/#.../....",
        ".##./##../#..#/....", ".#../###./#..#/....",
      ]),
    TableClass("t", ["##.#/##.#/..../....", "..##/#.##/#.../....", "..##/..##/#.../#..."]),
    TableClass("4421", ["###./##../..../...."]),
    TableClass("4431", ["###./#.../..../...."]),
    TableClass("LL", ["##../##../..../...."]),
    TableClass("444", ["####/..../..../...."]),
    TableClass("4432f", ["##../#.../..../...."], movable: 1),
    TableClass("4442ff", ["##../..../..../...."], movable: 2),
    TableClass("4442f", ["##../..../..../...."], movable: 1),
    TableClass("free8", [], movable: 8), TableClass("free9", [], movable: 7),
    TableClass("free10", [], movable: 6), TableClass("free11", [], movable: 5),
    TableClass("free12", [], movable: 4), TableClass("free13", [], movable: 3),
  ]
}
