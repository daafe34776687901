import Game2048
import Search
import TestSupport
import Testing

@testable import Experiments
@testable import Play

@Suite struct RegretTests {
  private static let boards = SampleBoards.random(30, largestExponent: 6).filter {
    !Rules.standard.isOver($0)
  }

  private static func report(_ players: [String], threads: Int = 1) throws -> RegretReport {
    try RegretReport(
      reference: PlayerSpecification("heuristic:depth=2"),
      players: try players.map { try PlayerSpecification($0) }, network: nil, states: boards,
      threads: threads, progress: { _ in })
  }

  @Test func theReferenceRegretsNothing() throws {
    let report = try RegretTests.report(["heuristic:depth=2", "random"])
    #expect(report.positions == RegretTests.boards.count && report.reference == "heuristic:depth=2")
    #expect(report.rows[0].regret == 0 && report.rows[0].agreement == 1)
    #expect(report.rows[0].difference == nil)
    #expect(accepts(.object(RegretReport.schema), report.json), "\(report.json.text)")
    #expect(report.rows[1].regret > 0 && report.rows[1].agreement < 1)
    #expect(report.rows[1].difference == report.rows[1].regret)
  }

  @Test func regretIsTheLossAgainstTheBestMove() throws {
    let regret = try RegretTests.report(["greedy"]).rows[0].regret
    let make = { (text: String) in
      try PlayerFactory().player(PlayerSpecification(text), seed: 0)
    }
    var (reference, greedy) = (try make("heuristic:depth=2"), try make("greedy"))
    var sum = 0.0
    for board in RegretTests.boards {
      let values = reference.decide(on: board).moves.compactMap { move in
        move.value.map { (move.direction, $0) }
      }
      let move = greedy.chooseMove(from: board)
      let chosen = try #require(move)
      let value = try #require(values.first { $0.0 == chosen }?.1)
      sum += try #require(values.map(\.1).max()) - value
    }
    #expect(abs(regret - sum / Double(RegretTests.boards.count)) < 1e-9 * max(1, abs(regret)))
  }

  @Test func threadsChangeNothing() throws {
    let reports = try [1, 3].map {
      try RegretTests.report(["greedy", "heuristic:depth=1"], threads: $0)
    }
    #expect(reports[0].rows.map(\.regret) == reports[1].rows.map(\.regret))
    #expect(reports[0].rows.map(\.agreement) == reports[1].rows.map(\.agreement))
  }
}
