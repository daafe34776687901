import Game2048
import TestSupport
import Testing

@testable import Training

@Suite struct BoardReservoirsTests {
  private let settings = StartSettings(
    restartShare: 0.5, shortestPath: 4, restartExponent: 9, restartSource: .kinds,
    restartsPerGame: 3, carouselExponents: [])

  /// Returns a board with these exponents, and a 2 or a 4 that distinguishes boards.
  private func board(_ exponents: [Int], _ number: Int = 0) -> Board {
    var board = Board()
    for (cell, exponent) in exponents.enumerated() { board[cell] = exponent }
    board[15 - number / 2 % 8] = number % 2 + 1
    return board
  }

  private func kind(_ exponents: [Int]) -> BoardKind { BoardKind(of: board(exponents)) }

  // MARK: Kinds

  @Test func kindsFollowTheTilesFrom256() {
    #expect(kind([14, 7, 3]) == kind([4, 14]))
    #expect(kind([14]) != kind([13]))
    // The chain below the largest tile.
    #expect(kind([14, 13]) != kind([14]))
    #expect(kind([14, 13, 12]) != kind([14, 13]))
    #expect(kind([14, 13, 12, 10]) == kind([10, 12, 13, 14, 7]))
    // The largest loose tile.
    #expect(kind([14, 12]) != kind([14, 11]))
    #expect(kind([14, 12, 11]) == kind([14, 12, 9]))
    #expect(kind([14, 13, 13]) != kind([14, 13]))
    #expect(kind([14, 14]) != kind([14]))
    #expect(kind([14, 13, 13, 11]) == kind([14, 13, 13, 10]))
    #expect(kind([8]) != kind([7]))
    #expect(kind([7, 6]) == kind([7]))
    #expect(kind([17, 16, 15]) != kind([17, 16]))
  }

  /// The kind by its definition: largest tile, length of the chain, largest loose tile.
  private func naiveKind(_ board: Board) -> [Int] {
    var tiles = board.exponents.filter { $0 >= 8 }.sorted()
    guard let largest = tiles.last else { return [board.exponents.max()!, 0, 0] }
    var next = largest
    while let place = tiles.lastIndex(of: next) {
      tiles.remove(at: place)
      next -= 1
    }
    return [largest, largest - next, tiles.max() ?? 0]
  }

  @Test func kindsFollowTheDefinition() {
    var boards = RandomBoards(seed: 4, size: 4)
    var names: [BoardKind: [Int]] = [:]
    for round in 0..<5_000 {
      let board = boards.next(exponents: round % 2 == 0 ? 0...17 : 5...11)
      let name = naiveKind(board)
      #expect(names[BoardKind(of: board), default: name] == name)
      names[BoardKind(of: board)] = name
    }
    #expect(Set(names.values).count == names.count)
    let ordered = names.sorted { $0.key < $1.key }.map(\.value)
    #expect(ordered == ordered.sorted { $0.lexicographicallyPrecedes($1) })
    #expect(
      BoardKind.largestCount * StartSettings.reservoirCapacity
        == StartSettings.largestReservoirs)
  }

  // MARK: Draws

  @Test func drawsAreEvenByKindAndThenByBoard() {
    var source = Xoshiro256(seed: 1)
    var reservoirs = BoardReservoirs()
    #expect(reservoirs.draw(using: &source) == nil)
    let common = (0..<8).map { board([12, 9], $0) }
    let rare = board([13])
    for board in common + [rare] {
      reservoirs.insert(board, of: BoardKind(of: board), using: &source)
    }
    var counts: [Board: Int] = [:]
    for _ in 0..<8_000 { counts[reservoirs.draw(using: &source)!, default: 0] += 1 }
    #expect((3_800...4_200).contains(counts[rare]!))
    for board in common { #expect((400...600).contains(counts[board]!)) }
  }

  @Test func aFullReservoirReplacesItsBoards() {
    var source = Xoshiro256(seed: 1)
    var reservoirs = BoardReservoirs()
    for number in 0..<1_000 {
      let board = board([12, 9], number)
      reservoirs.insert(board, of: BoardKind(of: board), using: &source)
    }
    let last = board([12, 9, 3])
    reservoirs.insert(last, of: BoardKind(of: last), using: &source)
    #expect(reservoirs.content.map(\.count) == [StartSettings.reservoirCapacity])
    #expect(reservoirs.content[0].contains(last))
  }

  // MARK: Episodes

  /// Plays an episode over these boards, and returns where it started.
  private func play(
    _ starts: inout EpisodeStarts, _ source: inout Xoshiro256, _ boards: [Board]
  ) -> Board? {
    let start = starts.begin(.restart, using: &source)
    for board in boards { starts.observe(board) }
    starts.finish(using: &source)
    return start
  }

  @Test func theFirstBoardOfEveryKindIsKept() {
    var source = Xoshiro256(seed: 1)
    var starts = EpisodeStarts(settings)
    // Without boards, games start from the beginning. No board below 512 is kept, and of each kind the first.
    let path = [
      board([1]), board([8, 3]), board([9, 3]), board([9, 4]), board([9, 8]), board([9, 5]),
      board([10]),
    ]
    #expect(play(&starts, &source, path) == nil)
    #expect(starts.state.reservoirs == [[path[2].text], [path[4].text], [path[6].text]])
    // The kind with which an episode starts is not new in it, even if it comes again.
    let start = play(&starts, &source, [board([10], 1), board([10, 8]), board([10], 2)])
    #expect([path[2], path[4], path[6]].contains(start))
    #expect(starts.state.reservoirs?.map(\.count) == [1, 1, 1, 1])
    #expect(starts.state.reservoirs?[2] == [path[6].text])
    #expect(starts.state.restarts == 1)
  }

  @Test func everyFewRestartsAWholeGameFollows() {
    var source = Xoshiro256(seed: 1)
    var starts = EpisodeStarts(settings)
    let path = [board([1]), board([9])]
    let isWhole = (0..<9).map { _ in play(&starts, &source, path) == nil }
    #expect(isWhole == [true, false, false, false, true, false, false, false, true])
  }

  @Test func statesAreResumed() throws {
    var source = Xoshiro256(seed: 1)
    var starts = EpisodeStarts(settings)
    let path = [[1], [9], [9, 8], [10], [10, 9], [10, 9, 8]].map { board($0) }
    for _ in 0..<3 { _ = play(&starts, &source, path) }
    _ = starts.begin(.restart, using: &source)
    starts.observe(path[1])
    var copy = try #require(EpisodeStarts(settings, state: starts.state))
    #expect(copy.state == starts.state)
    var copiedSource = source
    for number in 0..<20 {
      let boards = path.map { board -> Board in
        var board = board
        board[14] = number % 3
        return board
      }
      #expect(
        play(&starts, &source, boards) == play(&copy, &copiedSource, boards))
    }
    #expect(copy.state == starts.state && copiedSource.state == source.state)
  }

  @Test func statesThatCannotBeAreRejected() {
    var source = Xoshiro256(seed: 1)
    var starts = EpisodeStarts(settings)
    for _ in 0..<2 { _ = play(&starts, &source, [[1], [9], [9, 8], [10]].map { board($0) }) }
    let state = starts.state
    #expect(EpisodeStarts(settings, state: state) != nil)
    func isRejected(_ change: (inout EpisodeStarts.State) -> Void) -> Bool {
      var changed = state
      change(&changed)
      return EpisodeStarts(settings, state: changed) == nil
    }
    #expect(isRejected { $0.restarts = 4 })
    #expect(isRejected { $0.restarts = -1 })
    #expect(isRejected { $0.reservoirs![0] = ["nonsense"] })
    #expect(isRejected { $0.reservoirs![0] = [] })
    #expect(isRejected { $0.reservoirs![0].append($0.reservoirs![1][0]) })
    #expect(isRejected { $0.reservoirs!.swapAt(0, 1) })
    #expect(isRejected { $0.reservoirs!.append($0.reservoirs![2]) })
    #expect(isRejected { $0.reservoirs!.insert([board([8]).text], at: 0) })
    let full = StartSettings.reservoirCapacity
    #expect(isRejected { $0.reservoirs![0] = Array(repeating: board([9]).text, count: full + 1) })
    // A run whose restarts are from paths has no reservoirs.
    let other = StartSettings(
      restartShare: 0.5, shortestPath: 4, restartExponent: 9, carouselExponents: [])
    #expect(EpisodeStarts(other, state: state) == nil)
  }
}
