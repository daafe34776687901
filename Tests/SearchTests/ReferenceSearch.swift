import Game2048
import NTupleNetwork
import Search

/// Expectimax by its definition, on rows of tile values and with separate code for moves.
struct ReferenceSearch {
  typealias Grid = [[Int]]

  let evaluator: any Evaluator
  var fourProbability = 0.1

  /// Returns the moves up, down, left and right, nil for illegal ones.
  ///
  /// - Parameter grid: A square grid of any size up to 4.
  func values(of grid: Grid, plies: Int) -> [Double?] {
    values(of: grid, plies, least: evaluator.hopelessValue(from: Board(grid: grid)))
  }

  private func values(of grid: Grid, _ plies: Int, least: Double) -> [Double?] {
    ReferenceSearch.moves(grid).map { move in
      move.after == grid
        ? nil
        : evaluator.rewardWeight * Double(move.reward) + value(move.after, plies - 1, least: least)
    }
  }

  private func value(_ after: Grid, _ layers: Int, least: Double) -> Double {
    let leaf = evaluator.value(of: Board(grid: after))
    if layers == 0 || leaf < least { return leaf }
    var total = 0.0
    var empty = 0.0
    for row in after.indices {
      for column in after.indices where after[row][column] == 0 {
        empty += 1
        for (tile, odds) in [(2, 1 - fourProbability), (4, fourProbability)] where odds > 0 {
          var state = after
          state[row][column] = tile
          let best = values(of: state, layers, least: least).compactMap { $0 }.max()
          total += odds * (best ?? evaluator.terminalValue)
        }
      }
    }
    return total / empty
  }

  static func moves(_ grid: Grid) -> [(after: Grid, reward: Int)] {
    let columns = turned(grid)
    let up = slide(columns)
    let down = slide(columns.map { $0.reversed() })
    let left = slide(grid)
    let right = slide(grid.map { $0.reversed() })
    return [
      (turned(up.0), up.1), (turned(down.0.map { $0.reversed() }), down.1), left,
      (right.0.map { $0.reversed() }, right.1),
    ]
  }

  private static func turned(_ grid: Grid) -> Grid {
    grid.indices.map { column in grid.map { $0[column] } }
  }

  private static func slide(_ grid: Grid) -> (Grid, Int) {
    var reward = 0
    let lines = grid.map { line in
      var rest = line.filter { $0 != 0 }[...]
      var result: [Int] = []
      while let tile = rest.popFirst() {
        if rest.first == tile, tile < 131_072 {
          rest.removeFirst()
          reward += 2 * tile
          result.append(2 * tile)
        } else {
          result.append(tile)
        }
      }
      return result + Array(repeating: 0, count: line.count - result.count)
    }
    return (lines, reward)
  }
}

extension Board {
  /// Returns the tile values of the upper left `size` × `size` cells.
  func grid(size: Int = 4) -> [[Int]] {
    (0..<size).map { row in (0..<size).map { tiles[4 * row + $0] } }
  }

  init(grid: [[Int]]) {
    self.init()
    for (row, line) in grid.enumerated() {
      for (column, tile) in line.enumerated() where tile != 0 {
        self[4 * row + column] = tile.trailingZeroBitCount
      }
    }
  }
}
