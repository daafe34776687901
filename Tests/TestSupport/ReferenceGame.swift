import Game2048

/// The rules of the game, implemented slowly and literally, as a reference for `Rules`.
///
/// A board is a row-major list of `size` × `size` tile values, 0 where a cell is empty. Tiles walk
/// one cell at a time; no exponents, lines, tables or bit planes are used. Two tiles of 131072 do not merge.
public struct ReferenceGame: Sendable {
  /// The number of rows and columns.
  public let size: Int

  public init(size: Int = 4) {
    self.size = size
  }

  /// Slides all tiles in `direction`.
  ///
  /// - Returns: The tiles after the slide and the points earned, even if nothing moved.
  public func slide(_ tiles: [Int], _ direction: Direction) -> (tiles: [Int], points: Int) {
    let (rowStep, columnStep) = ReferenceGame.step(direction)
    var tiles = tiles
    var merged = [Bool](repeating: false, count: tiles.count)
    var points = 0
    // Tiles nearest to the target side move first.
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
            if tiles[next] == tiles[here], tiles[here] < 131_072, !merged[next] {
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

  /// Returns the move in `direction`, or nil if it changes nothing.
  public func move(_ tiles: [Int], _ direction: Direction) -> (tiles: [Int], points: Int)? {
    let moved = slide(tiles, direction)
    return moved.tiles == tiles ? nil : moved
  }

  /// Returns every board after a spawn: each empty cell with a 2 and with a 4.
  public func spawns(_ tiles: [Int]) -> [[Int]] {
    tiles.indices.filter { tiles[$0] == 0 }.flatMap { cell in
      [2, 4].map { tile in
        var spawned = tiles
        spawned[cell] = tile
        return spawned
      }
    }
  }

  /// Returns whether no move changes the board.
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
  /// Returns the tiles of `board` that are in play; its cells are numbered as on 4 × 4.
  public func tiles(of board: Board) -> [Int] {
    let all = board.tiles
    return (0..<size * size).map { all[4 * ($0 / size) + $0 % size] }
  }

  /// Returns the board with these tiles in its upper left corner.
  public func board(of tiles: [Int]) -> Board {
    var exponents = [Int](repeating: 0, count: 16)
    for (cell, tile) in tiles.enumerated() where tile != 0 {
      exponents[4 * (cell / size) + cell % size] = tile.trailingZeroBitCount
    }
    return Board(exponents: exponents)
  }

  /// Returns the board given by rows of tiles separated by `/`.
  public func board(_ rows: String) -> Board {
    board(of: rows.split { $0 == " " || $0 == "/" }.map { Int($0)! })
  }
}
