import Game2048

/// The game, written as slowly and as plainly as it is told to people, to check ``Rules`` against.
///
/// A board is a row-major list of `size` × `size` tile values, 0 where a cell is empty. Tiles walk
/// one cell at a time; nothing here knows exponents, lines, tables or bit planes.
public struct ReferenceGame: Sendable {
  /// Rows and columns.
  public let size: Int

  public init(size: Int = 4) {
    self.size = size
  }

  /// Slides all tiles in `direction`.
  ///
  /// - Returns: the tiles after the slide and the points earned, whether or not anything moved.
  public func slide(_ tiles: [Int], _ direction: Direction) -> (tiles: [Int], points: Int) {
    let (rowStep, columnStep) = ReferenceGame.step(direction)
    var tiles = tiles
    var merged = [Bool](repeating: false, count: tiles.count)
    var points = 0
    // The tiles nearest the side moved towards go first.
    let rows = rowStep > 0 ? Array((0..<size).reversed()) : Array(0..<size)
    let columns = columnStep > 0 ? Array((0..<size).reversed()) : Array(0..<size)
    for row in rows {
      for column in columns {
        var here = row * size + column
        var (r, c) = (row, column)
        while tiles[here] != 0 {
          r += rowStep
          c += columnStep
          guard 0 <= r, r < size, 0 <= c, c < size else { break }
          let next = r * size + c
          if tiles[next] == 0 {
            tiles[next] = tiles[here]
            tiles[here] = 0
            here = next
          } else {
            if tiles[next] == tiles[here], !merged[next] {
              tiles[next] += tiles[here]
              tiles[here] = 0
              merged[next] = true
              points += tiles[next]
            }
            break
          }
        }
      }
    }
    return (tiles, points)
  }

  /// The move in `direction`, or nil if it changes nothing.
  public func move(_ tiles: [Int], _ direction: Direction) -> (tiles: [Int], points: Int)? {
    let moved = slide(tiles, direction)
    return moved.tiles == tiles ? nil : moved
  }

  /// Every board that a spawn can leave: each empty cell with a 2, and with a 4.
  public func spawns(_ tiles: [Int]) -> [[Int]] {
    tiles.indices.filter { tiles[$0] == 0 }.flatMap { cell in
      [2, 4].map { tile in
        var spawned = tiles
        spawned[cell] = tile
        return spawned
      }
    }
  }

  /// Whether no move changes the board.
  public func isOver(_ tiles: [Int]) -> Bool {
    Direction.allCases.allSatisfy { move(tiles, $0) == nil }
  }

  /// The change of row and column of a tile that moves one cell in `direction`.
  static func step(_ direction: Direction) -> (row: Int, column: Int) {
    switch direction {
    case .up: (-1, 0)
    case .down: (1, 0)
    case .left: (0, -1)
    case .right: (0, 1)
    }
  }
}

// MARK: Conversion

extension ReferenceGame {
  /// The tiles in play of `board`, whose cells are numbered as on 4 × 4.
  public func tiles(of board: Board) -> [Int] {
    let all = board.tiles
    return (0..<size * size).map { all[4 * ($0 / size) + $0 % size] }
  }

  /// The board that holds these tiles in its upper left corner.
  public func board(of tiles: [Int]) -> Board {
    var exponents = [Int](repeating: 0, count: 16)
    for (cell, tile) in tiles.enumerated() where tile != 0 {
      exponents[4 * (cell / size) + cell % size] = tile.trailingZeroBitCount
    }
    return Board(exponents: exponents)
  }

  /// The board that rows of tiles separated by `/` stand for, for boards written in tests.
  public func board(_ rows: String) -> Board {
    board(of: rows.split { $0 == " " || $0 == "/" }.map { Int($0)! })
  }
}
