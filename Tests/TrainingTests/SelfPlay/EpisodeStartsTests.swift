import Game2048
import Testing

@testable import Training

@Suite struct EpisodeStartsTests {
  private let settings = StartSettings(
    restartShare: 0.5, shortestPath: 4, carouselExponents: [3, 5])

  /// Returns a board with a tile of this exponent, and a second tile that distinguishes boards.
  private func board(_ exponent: Int, _ number: Int = 0) -> Board {
    var board = Board()
    board[0] = exponent
    board[15] = number
    return board
  }

  /// Plays an episode over these boards, and returns where it started.
  private func play(
    _ starts: inout EpisodeStarts, _ rule: StartRule, _ boards: [Board]
  ) -> Board? {
    let start = starts.begin(rule)
    if starts.recordsPath { for board in boards { starts.observe(board) } }
    starts.finish()
    return start
  }

  @Test func openingsKeepNothing() {
    var starts = EpisodeStarts(settings)
    for _ in 0..<3 { #expect(play(&starts, .opening, [board(1), board(6)]) == nil) }
    #expect(starts.state == EpisodeStarts(settings).state)
  }

  @Test func restartsHalveThePathUntilItIsShort() {
    var starts = EpisodeStarts(settings)
    let path = (0..<9).map { board(1, $0) }
    #expect(play(&starts, .restart, path) == nil)
    #expect(play(&starts, .restart, Array(path[4...])) == path[4])
    // A path of five moves is long enough; the three from its middle are not.
    #expect(play(&starts, .restart, Array(path[6...])) == path[6])
    #expect(play(&starts, .restart, path) == nil)
    // Another rule ends the chain.
    #expect(play(&starts, .opening, path) == nil)
    #expect(play(&starts, .restart, path) == nil)
  }

  @Test func theShareSaysWhereToRestart() {
    var starts = EpisodeStarts(
      .init(restartShare: 0.9, shortestPath: 1, carouselExponents: []))
    let path = (0..<10).map { board(1, $0) }
    #expect(play(&starts, .restart, path) == nil)
    #expect(play(&starts, .restart, [path[9]]) == path[9])
    // One board has no middle to restart from.
    #expect(play(&starts, .restart, path) == nil)
  }

  @Test func aRestartIsAtLeastAMoveOn() {
    var starts = EpisodeStarts(
      .init(restartShare: 0.01, shortestPath: 1, carouselExponents: []))
    let path = (0..<5).map { board(1, $0) }
    #expect(play(&starts, .restart, path) == nil)
    #expect(play(&starts, .restart, Array(path[1...])) == path[1])
    #expect(play(&starts, .restart, Array(path[2...])) == path[2])
  }

  @Test func boardsWithoutTheTileAreNotRestartedFrom() {
    var starts = EpisodeStarts(
      .init(restartShare: 0.5, shortestPath: 1, restartExponent: 5, carouselExponents: []))
    // The middle of four boards is the third.
    #expect(play(&starts, .restart, [4, 4, 4, 5].map { board($0) }) == nil)
    #expect(play(&starts, .restart, [4, 4, 5, 5].map { board($0, 1) }) == nil)
    #expect(play(&starts, .restart, [board(6)]) == board(5, 1))
  }

  @Test func theCarouselGoesRoundTheTiles() {
    var starts = EpisodeStarts(settings)
    // Turns 1 and 2 have no boards yet, so these games start from an initial board.
    #expect(play(&starts, .carousel, [board(1), board(2), board(3, 1), board(4)]) == nil)
    #expect(play(&starts, .carousel, [board(1), board(3, 2), board(5, 3)]) == nil)
    #expect(play(&starts, .carousel, [board(2)]) == nil)
    // Only the first board with a tile counts: a tile that was already there has not appeared.
    #expect(play(&starts, .carousel, [board(3, 1), board(5, 4)]) == board(3, 1))
    #expect(play(&starts, .carousel, [board(5, 3), board(6)]) == board(5, 3))
    #expect(play(&starts, .carousel, [board(2)]) == nil)
    #expect(play(&starts, .carousel, []) == board(3, 2))
    #expect(play(&starts, .carousel, []) == board(5, 4))
    _ = play(&starts, .carousel, [])
    // After the last turn, the first one follows.
    #expect(play(&starts, .carousel, []) == board(3, 1))
  }

  @Test func theCarouselForgetsTheOldest() {
    var starts = EpisodeStarts(settings)
    for number in 0...StartSettings.ringCapacity {
      _ = play(&starts, .carousel, [board(1, number % 2), board(3, number % 2)])
    }
    #expect(starts.state.rings.map(\.count) == [StartSettings.ringCapacity, 0])
    #expect(starts.state.rings[0].first == board(3, 1).text)
  }

  /// Starts with a carousel of one tile.
  private let oneTile = StartSettings(
    restartShare: 0.5, shortestPath: 4, carouselExponents: [3])

  /// Plays an episode from a board of the ring, and then one on which a board appears; returns the former.
  private func turn(_ starts: inout EpisodeStarts, adding number: Int? = nil) -> Board? {
    let start = play(&starts, .carousel, [])
    let boards = number.map { [board(1), board(3, $0)] } ?? []
    #expect(play(&starts, .carousel, boards) == nil)
    return start
  }

  @Test func aGrowingRingRepeatsAndSkipsNothing() throws {
    var starts = EpisodeStarts(oneTile)
    #expect(turn(&starts, adding: 1) == nil)
    #expect(turn(&starts, adding: 2) == board(3, 1))
    #expect(turn(&starts) == board(3, 2))
    // After the newest, the oldest follows.
    #expect(turn(&starts, adding: 4) == board(3, 1))
    #expect(turn(&starts) == board(3, 2))
    #expect(turn(&starts) == board(3, 4))
    // A state is saved at any place, also after the newest board.
    var copy = try #require(EpisodeStarts(oneTile, state: starts.state))
    #expect(turn(&copy) == board(3, 1))
    #expect(turn(&starts, adding: 5) == board(3, 1))
    #expect(turn(&starts) == board(3, 2))
    #expect(turn(&starts) == board(3, 4))
    #expect(turn(&starts) == board(3, 5))
    #expect(turn(&starts) == board(3, 1))
  }

  @Test func aFullRingRepeatsAndSkipsNothing() throws {
    var state = EpisodeStarts(oneTile).state
    let capacity = StartSettings.ringCapacity
    // Distinct boards in their order.
    let boards = (0..<capacity).map { number in
      var late = board(3)
      late[1] = number / 100
      late[2] = number / 10 % 10
      late[4] = number % 10
      return late
    }
    state.rings = [boards.map(\.text)]
    var starts = try #require(EpisodeStarts(oneTile, state: state))
    // Each episode from a board is followed by a new board, for which the oldest goes.
    for place in 0..<10 {
      #expect(turn(&starts, adding: place) == boards[place])
      #expect(starts.state.rings[0].count == capacity)
    }
    // Two new boards for one that is used: the second board goes before its turn, and the third follows.
    starts = try #require(EpisodeStarts(oneTile, state: state))
    #expect(play(&starts, .carousel, [board(1), board(3, 1)]) == boards[0])
    #expect(play(&starts, .carousel, [board(1), board(3, 2)]) == nil)
    #expect(play(&starts, .carousel, []) == boards[2])
    // A new board follows the newest one, even if it comes when all have been used.
    (state.turn, state.used) = (1, [capacity])
    starts = try #require(EpisodeStarts(oneTile, state: state))
    #expect(play(&starts, .carousel, [board(1), board(3, 1)]) == nil)
    #expect(play(&starts, .carousel, []) == board(3, 1))
  }

  @Test func statesThatCountedOnAreResumed() throws {
    var starts = EpisodeStarts(oneTile)
    for number in 1...3 { _ = turn(&starts, adding: number) }
    var state = starts.state
    #expect(state.rings[0].count == 3)
    for (used, number) in [(0, 1), (2, 3), (3, 1), (4, 2), (301, 2)] {
      state.used = [used]
      var resumed = try #require(EpisodeStarts(oneTile, state: state))
      #expect(turn(&resumed) == board(3, number), "after \(used)")
    }
    state.rings = [[]]
    state.used = [7]
    var empty = try #require(EpisodeStarts(oneTile, state: state))
    #expect(turn(&empty, adding: 1) == nil)
    #expect(turn(&empty) == board(3, 1))
  }

  @Test func statesAreResumed() throws {
    var starts = EpisodeStarts(settings)
    _ = play(&starts, .carousel, [board(1), board(3, 1), board(5, 2)])
    _ = play(&starts, .restart, (0..<9).map { board(1, $0) })
    var copy = try #require(EpisodeStarts(settings, state: starts.state))
    #expect(copy.state == starts.state)
    #expect(copy.begin(.restart) == board(1, 4))
    for _ in 0..<4 {
      #expect(play(&starts, .carousel, [board(1)]) == play(&copy, .carousel, [board(1)]))
    }
  }

  @Test func statesThatCannotBeAreRejected() {
    var starts = EpisodeStarts(settings)
    _ = play(&starts, .carousel, [board(1), board(3, 1), board(5, 2)])
    _ = play(&starts, .restart, (0..<9).map { board(1, $0) })
    let state = starts.state
    #expect(EpisodeStarts(settings, state: state) != nil)
    let other = StartSettings(restartShare: 0.5, shortestPath: 4, carouselExponents: [3])
    #expect(EpisodeStarts(other, state: state) == nil)
    func isRejected(_ change: (inout EpisodeStarts.State) -> Void) -> Bool {
      var changed = state
      change(&changed)
      return EpisodeStarts(settings, state: changed) == nil
    }
    #expect(isRejected { $0.restart = "nonsense" })
    #expect(isRejected { $0.turn = 3 })
    #expect(isRejected { $0.turn = -1 })
    #expect(isRejected { $0.used[0] = -1 })
    #expect(isRejected { $0.used.removeLast() })
    #expect(isRejected { $0.rings[0] = ["nonsense"] })
    #expect(isRejected { $0.path = ["nonsense"] })
    #expect(
      isRejected {
        $0.rings[0] = Array(repeating: board(3, 1).text, count: StartSettings.ringCapacity + 1)
      })
  }
}
