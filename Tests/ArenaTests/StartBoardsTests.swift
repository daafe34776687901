import Game2048
import Testing

@testable import Arena

@Suite struct StartBoardsTests {
  private let boards =
    [Board(exponents: [9, 8] + [Int](repeating: 0, count: 13) + [1])]
    + [Board(exponents: [10, 3] + [Int](repeating: 0, count: 13) + [1])]

  @Test func gamesFromBoardsAreTakenInTurn() throws {
    let contestants = try ["rules", "greedy"].map { try contestant($0) }
    func run(_ threads: Int) -> ArenaResult {
      Arena.run(contestants: contestants, games: 6, seed: 3, threads: threads, starts: boards)
    }
    let result = run(2)
    #expect(result.outcomes == run(1).outcomes)
    for games in result.results {
      #expect(games.map(\.start) == (0..<6).map { boards[$0 % 2] })
      #expect(games.allSatisfy { $0.moves > 0 && $0.largestExponent >= 9 })
    }
    #expect(Set(result.results[0].map(\.score)).count == 6)
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
