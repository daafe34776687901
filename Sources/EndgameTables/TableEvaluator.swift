import Game2048
import NTupleNetwork
import Synchronization

/// An evaluator that values boards which a table knows by the table's probability.
///
/// On the scale of another evaluator, a board with the probability p of the goal is worth
/// `p · (points up to the goal + value with the goal) + (1 − p) · terminalValue`. The points of rewards count with
/// the weight of the evaluator. The value with the goal is that of the locked tiles and the goal in the best free
/// cell, alone on the board. Boards that no table knows have the value of the other evaluator.
public struct TableEvaluator<Base: Evaluator>: Evaluator {
  public let base: Base
  public let tables: EndgameTables
  @usableFromInline let goalValues: GoalValues

  public init(_ base: Base, tables: EndgameTables) {
    self.base = base
    self.tables = tables
    goalValues = GoalValues()
  }

  @inlinable public var rewardWeight: Double { base.rewardWeight }
  @inlinable public var terminalValue: Double { base.terminalValue }

  @inlinable
  public func hopelessValue(from board: Board) -> Double { base.hopelessValue(from: board) }

  @inlinable
  public func value(of afterstate: Board) -> Double {
    guard let answer = tables.answer(to: afterstate) else { return base.value(of: afterstate) }
    return value(of: afterstate, answer)
  }

  @inlinable
  @inline(__always)
  @unsafe
  public func write(
    valuesOfPlanes planes: UnsafePointer<UInt64>, count: Int,
    to values: UnsafeMutablePointer<Double>
  ) {
    unsafe base.write(valuesOfPlanes: planes, count: count, to: values)
    for place in 0..<count {
      let board = unsafe Board(planes: planes[place])
      if let answer = tables.answer(to: board) { unsafe values[place] = value(of: board, answer) }
    }
  }

  @usableFromInline
  @inline(never)
  func value(of board: Board, _ answer: EndgameTables.Answer) -> Double {
    let locked = board.keeping(answer.locked)
    let goalValue = goalValues.value(locked: locked, goal: answer.goal) {
      var best = -Double.infinity
      for cell in 0..<Board.cellCount where answer.locked >> UInt16(cell) & 1 == 0 {
        var board = locked
        board[cell] = answer.goal
        best = max(best, base.value(of: board))
      }
      return best
    }
    let points =
      Board.points(ofTile: answer.goal) - board.keeping(~answer.locked).pointsOfTiles
    return answer.probability * (goalValue + rewardWeight * Double(max(0, points)))
      + (1 - answer.probability) * terminalValue
  }
}

/// The values of boards with the goal, which change only when the locked tiles do.
///
/// Thread safety: any thread may call.
@usableFromInline
final class GoalValues: Sendable {
  private struct Key: Hashable {
    let locked: Board
    let goal: Int
  }

  private let values = Mutex<[Key: Double]>([:])

  /// The number of values after which all are forgotten.
  private static let most = 4096

  func value(locked: Board, goal: Int, _ compute: () -> Double) -> Double {
    let key = Key(locked: locked, goal: goal)
    if let known = values.withLock({ $0[key] }) { return known }
    let value = compute()
    values.withLock { values in
      if values.count >= GoalValues.most { values.removeAll() }
      values[key] = value
    }
    return value
  }
}

extension Board {
  /// Returns the board with the tiles on these cells alone.
  func keeping(_ cells: UInt16) -> Board {
    Board(
      planes: planes & (UInt64(cells) &* 0x0001_0001_0001_0001), highPlane: highPlane & cells)
  }

  /// Returns the points of making a tile from 2s.
  static func points(ofTile exponent: Int) -> Int { exponent < 2 ? 0 : (exponent - 1) << exponent }

  /// The points of making all tiles from 2s.
  var pointsOfTiles: Int {
    var points = 0
    var rest = occupied
    while rest != 0 {
      points += Board.points(ofTile: self[rest.trailingZeroBitCount])
      rest &= rest &- 1
    }
    return points
  }
}
