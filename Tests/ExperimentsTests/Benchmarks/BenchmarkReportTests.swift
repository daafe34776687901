import Foundation
import TestSupport
import Testing

@testable import Experiments

@Suite struct BenchmarkReportTests {
  @Test func summariesAreMediansWithTheirRange() {
    let odd = Summary(of: [5, 1, 3])
    #expect((odd.median, odd.min, odd.max) == (3, 1, 5))
    let even = Summary(of: [4, 1, 2, 8])
    #expect((even.median, even.min, even.max) == (3, 1, 8))
  }

  @Test func timesOfMovesAreQuantiles() throws {
    #expect(MoveTimes(of: [], budget: 1) == nil && MoveTimes(of: [1], budget: nil) == nil)
    let hundred = try #require(MoveTimes(of: (1...100).map(Double.init).reversed(), budget: 50))
    #expect((hundred.median, hundred.percentile99, hundred.max) == (50.5, 99, 100))
    // Within the budget: from 45 to 55.
    #expect(hundred.withinBudget == 0.11)
    let few = try #require(MoveTimes(of: [1.25, 0.75, 0.9375], budget: 1))
    #expect((few.median, few.percentile99, few.max) == (0.9375, 1.25, 1.25))
    // Within the budget: 0.2 ms more or less.
    #expect(few.withinBudget == 1.0 / 3)
  }

  @Test func ratesAreByEitherClock() {
    let measurement = Measurement(moves: 120, wallSeconds: 4, processorSeconds: 6)
    #expect(measurement.rate(by: .wall, threads: 2) == 30)
    #expect(measurement.rate(by: .cpu, threads: 2) == 40)
  }

  @Test func variantsTakeTurnsAndAreComparedWithinARound() throws {
    var order: [String] = []
    var progress: [Int] = []
    // The machine gets slower from round to round; the second variant is always twice as fast.
    func variant(_ name: String, speed: Int) -> Variant {
      Variant(parameters: ["name": .string(name)], threadsAtWork: 1) {
        order.append(name)
        let round = (order.count - 1) / 2
        return Measurement(
          moves: speed * 100, wallSeconds: Double(1 + round), processorSeconds: 1)
      }
    }
    let plan = BenchmarkPlan(repeats: 3, clock: .wall)
    var report = BenchmarkReport("test", plan: plan)
    try report.measure([variant("a", speed: 1), variant("b", speed: 2)], plan: plan) {
      done, total in
      progress.append(done)
      #expect(total == 8)
    }
    let rows = report.rows
    #expect(order == ["a", "b", "a", "b", "a", "b", "a", "b"])
    #expect(rows.allSatisfy { $0.meanScores.isEmpty })
    #expect(progress == Array(1...8))
    // The first round is discarded.
    #expect(rows[0].samples == [50, 100.0 / 3, 25])
    #expect(rows[1].samples == [100, 200.0 / 3, 50])
    #expect(rows[1].movesPerSecond == Summary(of: rows[1].samples))
    #expect((rows[1].ratio.min, rows[1].ratio.max) == (2, 2))
    #expect(abs(rows[1].microsecondsPerMove.median - 15_000) < 1e-6)
  }

  @Test func aRepeatWithoutMovesIsReported() throws {
    let plan = BenchmarkPlan(repeats: 2, warmUps: 0, clock: .wall)
    let variants = [0, 100].map { moves in
      Variant(parameters: ["moves": .integer(moves)], threadsAtWork: 1) {
        Measurement(moves: moves, wallSeconds: 2, processorSeconds: 2)
      }
    }
    var report = BenchmarkReport("test", plan: plan)
    try report.measure(variants, plan: plan)
    #expect(report.rows.map(\.movesPerSecond.median) == [0, 50])
    #expect(report.rows.map(\.microsecondsPerMove.median) == [0, 20_000])
    #expect(report.rows.map(\.ratio.median) == [0, 0])
    // Numbers that are not finite cannot be encoded.
    #expect(throws: Never.self) { try JSONEncoder.text(report.json) }
    #expect(accepts(.object(BenchmarkReport.schema), report.json), "\(report.json.text)")
  }

  @Test func warmUpIsATenth() {
    #expect(BenchmarkPlan.Amount.seconds(2).warmUp == .seconds(0.2))
    #expect(BenchmarkPlan.Amount.episodes(50).warmUp == .episodes(5))
    #expect(BenchmarkPlan.Amount.episodes(3).warmUp == .episodes(1))
  }
}
