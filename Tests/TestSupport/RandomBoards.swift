import Game2048

/// A repeatable generator of test boards, from empty to full, on 2 × 2 to 4 × 4.
///
/// Half of them have only a few different exponents, so that neighbours often merge. With uniform
/// exponents, merges would be rare.
public struct RandomBoards: Sendable {
  /// The number of rows and columns.
  public let size: Int
  private var source: Xoshiro256

  public init(seed: UInt64, size: Int = 4) {
    self.size = size
    source = Xoshiro256(seed: seed)
  }

  /// Returns a board with any number of tiles whose exponents are in `exponents`.
  public mutating func next(exponents: ClosedRange<Int> = 1...14) -> Board {
    var pool = Array(exponents)
    if Bool.random(using: &source) {
      pool = (0..<Int.random(in: 1...4, using: &source)).map { _ in
        pool.randomElement(using: &source)!
      }
    }
    return fill(from: pool, tiles: Int.random(in: 0...(size * size), using: &source))
  }

  /// Returns a crowded board with tiles from 16384 to 131072, half of them 32768 and 65536.
  public mutating func nextLarge() -> Board {
    let cells = size * size
    return fill(
      from: [14, 15, 15, 16, 16, 17], tiles: Int.random(in: (cells / 2)...cells, using: &source))
  }

  private mutating func fill(from pool: [Int], tiles: Int) -> Board {
    var cells = (0..<size * size).map { 4 * ($0 / size) + $0 % size }
    cells.shuffle(using: &source)
    var board = Board()
    for cell in cells.prefix(tiles) { board[cell] = pool.randomElement(using: &source)! }
    return board
  }
}
