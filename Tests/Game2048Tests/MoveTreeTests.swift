import TestSupport
import Testing

@testable import Game2048

/// The states a number of plies (move and spawn) below a board.
struct TreeCount: Equatable, CustomStringConvertible {
  var distinct: Int
  /// The number of states, each counted once per path to it.
  var total: Int
  /// The points of all moves of the tree.
  var points: Int

  var description: String { "distinct \(distinct), total \(total), points \(points)" }
}

/// Tests with exact counts of the move tree, which any wrong move changes.
@Suite struct MoveTreeTests {
  /// A board, the number of plies, and counts computed with an independent program.
  struct Case: CustomTestStringConvertible {
    var size: Int
    var rows: String
    var plies: Int
    var count: TreeCount

    var testDescription: String { rows }
  }

  private static let cases = [
    Case(
      size: 4, rows: "2 0 0 0 / 0 0 0 0 / 0 0 0 0 / 0 0 0 2", plies: 3,
      count: TreeCount(distinct: 13_732, total: 1_124_032, points: 100_800)),
    Case(
      size: 4, rows: "2 2 4 8 / 0 4 0 4 / 8 8 8 8 / 16 0 16 16", plies: 3,
      count: TreeCount(distinct: 22_759, total: 169_532, points: 313_496)),
    Case(
      size: 4,
      rows: "32768 32768 16384 65536 / 65536 65536 32768 2 / 4 8 16 16 / 2 4 2 4", plies: 4,
      count: TreeCount(distinct: 8_257, total: 57_652, points: 16_190_112)),
    Case(
      size: 3, rows: "2 0 0 / 0 2 0 / 0 0 0", plies: 4,
      count: TreeCount(distinct: 7_859, total: 4_956_440, points: 1_436_608)),
    Case(
      size: 3, rows: "65536 32768 32768 / 2 65536 4 / 4 2 65536", plies: 5,
      count: TreeCount(distinct: 4_780, total: 17_616, points: 38_959_136)),
    Case(
      size: 2, rows: "2 0 / 0 2", plies: 8,
      count: TreeCount(distinct: 188, total: 4_065_920, points: 13_427_136)),
    Case(
      size: 2, rows: "0 0 / 2 0", plies: 12,
      count: TreeCount(distinct: 248, total: 210_976_320, points: 2_089_571_520)),
  ]

  /// Counts the tree below `root`, layer by layer.
  private func count<State: Hashable>(
    from root: State, plies: Int, _ successors: (State) -> [(points: Int, states: [State])]
  ) -> TreeCount {
    var layer = [root: 1]
    var points = 0
    for _ in 0..<plies {
      var next: [State: Int] = [:]
      for (state, ways) in layer {
        for move in successors(state) {
          points += ways * move.points
          for state in move.states { next[state, default: 0] += ways }
        }
      }
      layer = next
    }
    return TreeCount(
      distinct: layer.count, total: layer.values.reduce(0, +), points: points)
  }

  @Test(arguments: cases)
  func rulesCountTheTree(_ tree: Case) {
    let rules = Rules(size: tree.size)
    let root = ReferenceGame(size: tree.size).board(tree.rows)
    let counted = count(from: root, plies: tree.plies) { state in
      rules.legalDirections(from: state).map { direction in
        let move = rules.move(state, direction)!
        var states: [Board] = []
        rules.forEachSpawn(on: move.afterstate) { state, _ in states.append(state) }
        return (move.reward, states)
      }
    }
    #expect(counted == tree.count)
  }

  @Test(arguments: cases)
  func referenceCountsTheTree(_ tree: Case) {
    let game = ReferenceGame(size: tree.size)
    let root = game.tiles(of: game.board(tree.rows))
    let counted = count(from: root, plies: tree.plies) { state in
      Direction.allCases.compactMap { direction in
        game.move(state, direction).map { ($0.points, game.spawns($0.tiles)) }
      }
    }
    #expect(counted == tree.count)
  }
}
