import TestSupport
import Testing

@testable import Game2048

@Suite struct SpawnTests {
  /// The counts of many spawns on one board: how often each cell was filled, and how often with a 4.
  private func draws(_ rules: Rules, on board: Board, count: Int) -> (cells: [Int], fours: Int) {
    var source = Xoshiro256(seed: 7)
    var cells = [Int](repeating: 0, count: 16)
    var fours = 0
    for _ in 0..<count {
      var state = board
      rules.spawn(on: &state, using: &source)
      let cell = (0..<16).first { state[$0] != board[$0] }!
      cells[cell] += 1
      if state[cell] == 2 { fours += 1 }
      // No other cell changes.
      var undone = state
      undone[cell] = 0
      #expect(undone == board && (state[cell] == 1 || state[cell] == 2))
    }
    return (cells, fours)
  }

  @Test(arguments: [
    (4, "0 0 0 0 / 0 0 0 0 / 0 0 0 0 / 0 0 0 0"), (4, "2 4 0 0 / 0 8 16 2 / 0 0 65536 0 / 0 2 4 0"),
    (4, "2 4 8 2 / 4 8 16 2 / 0 2 65536 4 / 8 2 4 131072"), (3, "0 0 2 / 0 4 8 / 2 4 0"),
    (2, "0 0 / 0 0"), (2, "2 0 / 4 0"),
  ])
  func cellsAreEquallyLikely(size: Int, rows: String) {
    let game = ReferenceGame(size: size)
    let board = game.board(rows)
    let count = 30_000
    let (cells, fours) = draws(Rules(size: size), on: board, count: count)
    let empty = (0..<16).filter { board[$0] == 0 && $0 / 4 < size && $0 % 4 < size }
    #expect(cells.indices.filter { cells[$0] > 0 } == empty)
    let expected = Double(count) / Double(empty.count)
    let chiSquare = empty.reduce(0) {
      $0 + (Double(cells[$1]) - expected) * (Double(cells[$1]) - expected) / expected
    }
    // The mean is `empty - 1`; 40 is more than four standard deviations above it even for 15 degrees of freedom.
    #expect(chiSquare < 40)
    #expect(abs(Double(fours) / Double(count) - 0.1) < 0.007)
  }

  @Test(arguments: [0, 0.25, 0.5, 1])
  func fourProbabilityIsASetting(probability: Double) {
    let rules = Rules(fourProbability: probability)
    let (_, fours) = draws(rules, on: Board(), count: 20_000)
    switch probability {
    case 0: #expect(fours == 0)
    case 1: #expect(fours == 20_000)
    default: #expect(abs(Double(fours) / 20_000 - probability) < 0.015)
    }
  }

  /// The games of a random source and a seed are the same on every platform.
  @Test func spawnsOfAPublishedSequence() throws {
    // nextInt of Java's Random(42): −1170105035, 234785527, −1360544799, 205897768, 1325939940,
    // −248792245. A word consists of two of them. Its upper half makes the tile a 2, and its lower half
    // selects empty cell 234785527 · 16 / 2³² = 0, then 205897768 · 15 / 2³² = 0.
    let rules = Rules.standard
    var java = JavaLinearCongruential(seed: 42)
    let start = rules.startBoard(using: &java)
    #expect(start.text == "1100000000000000")
    // After a move to the right in empty cell 4046175051 · 15 / 2³² = 14.
    var board = try #require(rules.move(start, .right)).afterstate
    rules.spawn(on: &board, using: &java)
    #expect(board.text == "0002000000000001")
  }

  @Test func bitsDecideCellAndTile() {
    let rules = Rules.standard
    let board = ReferenceGame().board("2 0 2 2 / 2 2 2 2 / 2 2 0 2 / 2 2 2 0")
    func spawned(_ bits: UInt64) -> [Int] {
      var state = board
      rules.spawn(on: &state, bits: bits)
      return [1, 10, 15].map { state[$0] }
    }
    #expect(spawned(0) == [2, 0, 0])
    #expect(spawned(0xFFFF_FFFF) == [0, 0, 2])
    #expect(spawned(.max) == [0, 0, 1])
    #expect(spawned(0x8000_0000 | 0x2000_0000 << 32) == [0, 1, 0])
    // 0.1 · 2^32 is 0x1999_9999.
    #expect(spawned(0x1999_9998 << 32) == [2, 0, 0])
    #expect(spawned(0x1999_9999 << 32) == [1, 0, 0])
  }

  @Test(arguments: [2, 3, 4])
  func startBoardsHoldTwoTiles(size: Int) {
    let rules = Rules(size: size)
    var source = Xoshiro256(seed: 3)
    var seen: UInt16 = 0
    for _ in 0..<2_000 {
      let board = rules.startBoard(using: &source)
      #expect(board.tileCount == 2 && board.largestTileExponent <= 2)
      seen |= board.occupied
    }
    #expect(seen == rules.cells)
  }

  @Test func equalSeedsSpawnEqually() {
    var (one, two) = (Xoshiro256(seed: 5), Xoshiro256(seed: 5))
    for _ in 0..<100 {
      #expect(
        Rules.standard.startBoard(using: &one) == Rules.standard.startBoard(using: &two))
    }
  }

  @Test(arguments: [2, 3, 4], [0, 0.1, 0.75, 1])
  func enumeratedSpawnsAreTheEmptyCellsWithEitherTile(size: Int, probability: Double) {
    let rules = Rules(size: size, fourProbability: probability)
    let game = ReferenceGame(size: size)
    var boards = RandomBoards(seed: 9, size: size)
    for _ in 0..<200 {
      let board = boards.next(exponents: 1...17)
      let tiles = game.tiles(of: board)
      let empty = tiles.filter { $0 == 0 }.count
      var found: [[Int]: Double] = [:]
      rules.forEachSpawn(on: board) { state, share in
        #expect(found.updateValue(share, forKey: game.tiles(of: state)) == nil)
      }
      var expected: [[Int]: Double] = [:]
      for spawned in game.spawns(tiles) {
        let four = zip(spawned, tiles).contains { $0 == 4 && $1 == 0 }
        let share = four ? probability : 1 - probability
        if share > 0 { expected[spawned] = share / Double(empty) }
      }
      #expect(found.count == expected.count)
      for (state, share) in expected { #expect(abs((found[state] ?? 0) - share) < 1e-12) }
      let sum = found.values.reduce(0, +)
      #expect(empty == 0 ? found.isEmpty : abs(sum - 1) < 1e-12)
    }
  }

  @Test func cellsInPlayAreTheUpperLeftCorner() {
    #expect(Rules(size: 4).cells == 0xFFFF)
    #expect(Rules(size: 3).cells == 0x0777)
    #expect(Rules(size: 2).cells == 0x0033)
  }
}
