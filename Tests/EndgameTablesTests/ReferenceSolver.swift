import Game2048

@testable import EndgameTables

/// A slow solver that follows the rules of the game, on whole boards.
final class ReferenceSolver {
  private let shape: TableShape
  private let rules: Rules
  private var known: [Board: Double] = [:]

  init(_ shape: TableShape) {
    self.shape = shape
    rules = Rules(fourProbability: shape.fourProbability)
  }

  /// The tile of each locked cell: different ones from the goal on.
  var lockedBoard: Board { shape.emptyBoard }

  private var freeCells: [Int] { (0..<16).filter { shape.free >> UInt16($0) & 1 == 1 } }

  private func sum(_ board: Board) -> Int { freeCells.reduce(0) { $0 + board.tiles[$1] } }

  /// The boards with these exponents on the free cells, in their order.
  func board(_ exponents: [Int]) -> Board {
    var board = lockedBoard
    for (cell, exponent) in zip(freeCells, exponents) { board[cell] = exponent }
    return board
  }

  /// The probability of the goal after a move, before the spawn.
  func probability(after board: Board) -> Double {
    let empty = freeCells.filter { board[$0] == 0 }
    if empty.isEmpty { return 0 }
    var total = 0.0
    for cell in empty {
      for (exponent, share) in [(1, 1 - shape.fourProbability), (2, shape.fourProbability)] {
        var spawned = board
        spawned[cell] = exponent
        if sum(spawned) <= shape.largestSum { total += share * probability(of: spawned) }
      }
    }
    return total / Double(empty.count)
  }

  /// Whether the goal's tile is made, or a chain that merges into it.
  func hasGoal(_ board: Board) -> Bool {
    guard let plan = shape.plan else { return freeCells.contains { board[$0] == shape.goal } }
    return plan.chains.contains { chain in
      freeCells.allSatisfy { chain[$0] == 0 || board[$0] == shape.goal - chain[$0] }
    }
  }

  /// Whether no tile is larger than the chain has on its cell.
  func fits(_ board: Board) -> Bool {
    guard let plan = shape.plan else { return true }
    return freeCells.allSatisfy { board[$0] <= shape.goal - plan.limits[$0] }
  }

  /// The probability of the goal before a move.
  func probability(of board: Board) -> Double {
    if let found = known[board] { return found }
    var best = 0.0
    for direction in Direction.allCases {
      guard let move = rules.move(board, direction) else { continue }
      let afterstate = move.afterstate
      let staysLocked = (0..<16).allSatisfy {
        shape.locked >> UInt16($0) & 1 == 0 || afterstate[$0] == board[$0]
      }
      guard staysLocked else { continue }
      if fits(afterstate) {
        best = max(best, hasGoal(afterstate) ? 1 : probability(after: afterstate))
      }
    }
    known[board] = best
    return best
  }
}
