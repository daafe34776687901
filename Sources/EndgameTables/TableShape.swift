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
  /// The largest sum of the tiles on free cells that the table knows. Boards with more count as lost.
  public let largestSum: Int
  /// The probability that a spawned tile is a 4.
  public let fourProbability: Double

  /// The exponents of goals: 8 to 1024.
  public static let goals = 3...10
  /// The numbers of free cells: with more, the index of a table would not fit into the memory of most machines.
  public static let freeCells = 2...12
  /// The sum beyond the goal that a table knows, by default.
  public static let standardMargin = 64

  /// Creates a shape; nil if its numbers are out of range.
  ///
  /// The locked tiles are different and at least as large as the goal, so there are at most `16 - goal`.
  public init?(
    locked: CellSet, goal: Int, margin: Int = TableShape.standardMargin,
    fourProbability: Double = Rules.standardFourProbability
  ) {
    self.locked = locked.cells
    self.goal = goal
    largestSum = (1 << goal) + margin
    self.fourProbability = fourProbability
    guard isValid else { return nil }
  }

  /// Whether all numbers are in range, which a shape from a file need not be.
  var isValid: Bool {
    TableShape.goals.contains(goal) && TableShape.freeCells.contains(freeCellCount)
      && locked.nonzeroBitCount <= 16 - goal && (0...1).contains(fourProbability)
      && largestSum % 2 == 0 && ((1 << goal)...(16 << goal)).contains(largestSum)
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
    for _ in 0..<freeCellCount {
      let before = sizes
      for exponent in 1..<goal {
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

  /// The name of the table's file without its extension, such as `locked-003F-512`.
  public var name: String {
    let digits = String(locked, radix: 16, uppercase: true)
    return "locked-" + String(repeating: "0", count: 4 - digits.count) + digits + "-\(1 << goal)"
  }
}
