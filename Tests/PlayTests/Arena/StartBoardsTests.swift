import Game2048
import Testing

@testable import Play

@Suite struct StartBoardsTests {
  private let boards =
    [Board(exponents: [9, 8] + [Int](repeating: 0, count: 13) + [1])]
    + [Board(exponents: [10, 3] + [Int](repeating: 0, count: 13) + [1])]

  @Test func gamesFromBoardsAreTakenInTurn() throws {
    let contestants = try ["rules", "greedy"].map { try contestant($0) }
    func run(_ threads: Int) -> ArenaResult {
      Arena.run(
        contestants: contestants, games: 6, seed: 3, threads: threads, starts: StartBoards(boards))
    }
    let result = run(2)
    #expect(result.outcomes == run(1).outcomes)
    for games in result.results {
      #expect(games.map(\.start) == (0..<6).map { boards[$0 % 2] })
      #expect(games.allSatisfy { $0.moves > 0 && $0.largestExponent >= 9 })
    }
    #expect(Set(result.results[0].map(\.score)).count == 6)
  }

  @Test func drawnBoardsDependOnTheSeedAndTheNumberOfTheGame() throws {
    let drawn = StartBoards(boards, areDrawn: true)
    let contestants = try ["rules", "greedy"].map { try contestant($0) }
    func run(_ games: Int, seed: UInt64 = 3) -> [[Board?]] {
      Arena.run(contestants: contestants, games: games, seed: seed, threads: 2, starts: drawn)
        .results.map { $0.map(\.start) }
    }
    let long = run(20)
    #expect(long[0] == long[1] && long[0] == (0..<20).map { drawn.board(ofGame: $0, seed: 3) })
    #expect(Array(long[0].prefix(7)) == run(7)[0] && long != run(20, seed: 4))
    let many = (0..<3_000).map {
      StartBoards(boards + [Board()], areDrawn: true).board(ofGame: $0, seed: 9)
    }
    for board in boards + [Board()] { #expect(abs(many.count { $0 == board } - 1_000) < 100) }
    #expect(StartBoards([], areDrawn: true).board(ofGame: 0, seed: 3) == nil)
  }

  @Test func onlyDrawnBoardsHoldTheErrorRate() {
    // Two players, of which each wins on half of the boards: the first on those that come first.
    let boards = (1...14).flatMap { a in
      (1...14).map { b in
        Board(exponents: [a, b] + [Int](repeating: 0, count: 14))
      }
    }
    let places = Dictionary(uniqueKeysWithValues: zip(boards, boards.indices))
    func verdicts(areDrawn: Bool) -> Int {
      let starts = StartBoards(boards, areDrawn: areDrawn)
      return (0..<400).count { seed in
        var test = SequentialTest(errorRate: 0.05)
        for game in boards.indices {
          let board = starts.board(ofGame: game, seed: UInt64(seed))!
          test.add(places[board]! < boards.count / 2 ? 1 : -1)
        }
        return test.verdict != .undecided
      }
    }
    #expect(verdicts(areDrawn: false) == 400)
    #expect(verdicts(areDrawn: true) <= 400 / 20)
  }

  @Test func sharesCountTheGamesThatStartBelowATile() {
    func result(_ board: Int, _ largest: Int) -> GameResult {
      GameResult(
        score: 10, moves: 5, largestExponent: largest, seconds: 1, start: boards[board])
    }
    let report = ArenaReport(
      ArenaResult(
        seed: 1, contestants: ["a", "b"],
        results: [
          [result(0, 10), result(1, 11), result(0, 9), result(1, 10)],
          [result(0, 9), result(1, 11), result(0, 9), result(1, 10)],
        ]))
    #expect(report.startBoards == 2)
    // Two games start below 1024, and all four below 2048.
    #expect(report.players[0].reached == ["1024": 0.5, "2048": 0.25])
    #expect(report.players[1].reached == ["1024": 0, "2048": 0.25])
    #expect(
      report.players[0].reachedCi95["1024"] == .wilson(successes: 1, trials: 2))
    #expect(report.comparisons[0].reachedDifference == ["1024": 0.5, "2048": 0])
    #expect(report.comparisons[0].reachedDifferenceCi95?["2048"] == .zero)
  }

  @Test func wholeGamesHaveNoStart() throws {
    let result = Arena.run(
      contestants: try ["random", "greedy"].map { try contestant($0) }, games: 4, seed: 3,
      threads: 1)
    let report = ArenaReport(result)
    #expect(report.startBoards == nil && report.comparisons[0].reachedDifference == nil)
    #expect(result.results.joined().allSatisfy { $0.start == nil })
  }
}
